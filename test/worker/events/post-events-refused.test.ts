// Refused events leave nothing: each case posts, then looks at the session again.
import { describe, expect, test } from "vitest";

import type { CreatedApiKey, Scope } from "../../../protocol/keys/contract.ts";
import type { PendingCall, Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { Problem } from "../../../protocol/problem.ts";
import { ask, openSession, refusalOf } from "../support/api.ts";
import {
  CANCEL,
  confirmation,
  DESK,
  externalResults,
  LABEL,
  openParked,
  REFUND,
} from "../support/parked-session.ts";

type Parked = Awaited<ReturnType<typeof openParked>>;

async function keyWith({ call }: Parked, scopes: readonly Scope[]) {
  const { json } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
  return { key: json.api_key };
}

/** The refusal, and whether the session stands as before. */
async function refusalIn(parked: Parked, json: object, call: { key: string } = parked.call) {
  const before = await ask<Session>("GET", parked.path, parked.call);
  const answer = await ask<Problem>("POST", parked.events, { ...call, json });
  const after = await ask<Session>("GET", parked.path, parked.call);
  const { type, title, detail, request_id, ...problem } = answer.json;
  return {
    problem,
    isProblem: answer.headers.get("Content-Type") === "application/problem+json",
    isUnchanged: JSON.stringify(before.json) === JSON.stringify(after.json),
  };
}

function refused(problem: object) {
  return { problem, isProblem: true, isUnchanged: true };
}

/** An answer to the first call that waits, with changes to its block. */
function withCall({ reply, pending }: Parked, changes: object, rest: object = {}) {
  const tool_call = { ...pending[0]!.tool_call, ...changes };
  return { ...confirmation(reply, []), confirm_results: [{ confirmed: true, tool_call, ...rest }] };
}

const POINTER = "#/confirm_results/0/tool_call";

describe("an answer is refused", () => {
  test.each<[string, (parked: Parked) => object]>([
    ["a reply that never was", ({ pending }) => confirmation({ id: "rep_1" }, pending)],
    ["a call that never was", (parked) => withCall(parked, { id: "call_1" })],
    [
      "an external result for a call that asks",
      ({ reply, pending }) => externalResults(reply, pending),
    ],
  ])("for %s", async (_, makeEvent) => {
    const parked = await openParked();

    const { problem, ...rest } = await refusalIn(parked, makeEvent(parked));

    expect({ ...rest, status: problem.status, code: problem.code }).toEqual({
      isProblem: true,
      isUnchanged: true,
      status: 409,
      code: "call_not_pending",
    });
  });

  test("for a call that waits for a result, with how it stands", async () => {
    const parked = await openParked(LABEL);
    const [{ tool_call }] = parked.pending as [PendingCall];

    expect(await refusalIn(parked, confirmation(parked.reply, parked.pending))).toEqual(
      refused({
        status: 409,
        code: "call_not_pending",
        tool_call_id: tool_call.id,
        state: "submitted",
        reply: { id: parked.reply.id, status: "awaiting_external_result" },
        pending: parked.pending,
        errors: [{ pointer: "#/confirm_results/0", detail: expect.any(String) }],
      }),
    );
  });

  test("for another session's call, and another session's reply", async () => {
    const [parked, other] = [await openParked(), await openParked()];

    const answers = [
      await refusalIn(parked, confirmation(other.reply, other.pending)),
      await refusalIn(parked, confirmation(parked.reply, other.pending)),
    ];

    expect(
      answers.map(({ problem, isUnchanged }) => [problem.code, problem["state"], isUnchanged]),
    ).toEqual([
      ["call_not_pending", null, true],
      ["call_not_pending", null, true],
    ]);
    expect(JSON.stringify(answers)).not.toContain(other.session.id);
  });

  test("whole, when one of its calls is refused", async () => {
    const parked = await openParked(`${REFUND}\n${CANCEL}`);
    const event = confirmation(parked.reply, parked.pending);
    event.confirm_results[1]!.tool_call = { ...parked.pending[1]!.tool_call, id: "call_1" };

    const { problem, isUnchanged } = await refusalIn(parked, event);

    expect([problem.code, problem.errors?.map(({ pointer }) => pointer), isUnchanged]).toEqual([
      "call_not_pending",
      ["#/confirm_results/1"],
      true,
    ]);
  });

  test("with another tool's name", async () => {
    const parked = await openParked();

    const { problem, isUnchanged } = await refusalIn(
      parked,
      withCall(parked, { name: "print_label" }),
    );

    expect([problem.status, problem.code, problem.errors?.[0]?.pointer, isUnchanged]).toEqual([
      400,
      "tool_name_changed",
      `${POINTER}/name`,
      true,
    ]);
  });

  test.each([
    ["no JSON", "{", `${POINTER}/input`],
    ["what the tool does not take", '{"order_id":7}', `${POINTER}/input/order_id`],
  ])("with an edit that is %s", async (_, input, pointer) => {
    const parked = await openParked();

    const { problem, isUnchanged } = await refusalIn(parked, withCall(parked, { input }));

    expect([problem.status, problem.code, isUnchanged]).toEqual([
      400,
      "edited_input_invalid",
      true,
    ]);
    expect(problem.errors?.[0]?.pointer.startsWith(pointer.split("/input")[0]!)).toBe(true);
  });

  test("with an edit that a deny rule forbids", async () => {
    const rule = {
      tool_name: "refund_order",
      rule_content: "B-2",
      behavior: "deny",
      source: "agent",
    };
    const [refund, ...tools] = DESK.tools;
    const matched = { ...refund, rule_argument: "/order_id", rule_syntax: "exact" };
    const parked = await openParked(REFUND, {
      ...DESK,
      tools: [matched, ...tools],
      permission: { mode: "default", rules: [rule] },
    });

    const { problem, isUnchanged } = await refusalIn(
      parked,
      withCall(parked, { input: '{"order_id":"B-2"}' }),
    );

    expect([problem.status, problem.code, problem["rule"], isUnchanged]).toEqual([
      403,
      "denied_by_rule",
      rule,
      true,
    ]);
  });

  test("with the hash of another input", async () => {
    const parked = await openParked();
    const [{ tool_call }] = parked.pending as [PendingCall];
    const metadata = { input_hashes: { [tool_call.id]: `sha256:${"0".repeat(64)}` } };

    const { problem, isUnchanged } = await refusalIn(parked, {
      ...confirmation(parked.reply, parked.pending),
      metadata,
    });

    expect([problem.status, problem.code, isUnchanged]).toEqual([409, "input_hash_mismatch", true]);
  });

  test("with a rule that was not suggested, unless the key may write rules", async () => {
    const parked = await openParked();
    const rules = [{ tool_name: "print_label", rule_content: null, behavior: "allow" }];
    const narrow = await keyWith(parked, ["confirmations:write"]);
    const json = confirmation(parked.reply, parked.pending, { rules });

    const { problem, isUnchanged } = await refusalIn(parked, json, narrow);
    const written = await ask("POST", parked.events, { ...parked.call, json });

    expect([problem.status, problem.code, isUnchanged, written.status]).toEqual([
      403,
      "rule_not_suggested",
      true,
      202,
    ]);
  });

  test("after another answer, and after its tool has run", async () => {
    const parked = await openParked();
    const yes = confirmation(parked.reply, parked.pending);
    // The whole stream: the tool has run, and the reply has ended.
    await ask("POST", `${parked.events}?stream=true`, { ...parked.call, json: yes });

    const refusals = [
      await refusalIn(parked, yes),
      await refusalIn(parked, confirmation(parked.reply, parked.pending, { confirmed: false })),
    ];

    expect(
      refusals.map(({ problem, isUnchanged }) => [
        problem.status,
        problem.code,
        problem["same_answer"],
        isUnchanged,
      ]),
    ).toEqual([
      [409, "confirmation_used", true, true],
      [409, "confirmation_used", false, true],
    ]);
  });

  test("after a result, saying whether it is the same one", async () => {
    const parked = await openParked(LABEL);
    const json = externalResults(parked.reply, parked.pending);
    await ask("POST", `${parked.events}?stream=true`, { ...parked.call, json });

    const refusals = [
      await refusalIn(parked, json),
      await refusalIn(parked, externalResults(parked.reply, parked.pending, "Another")),
    ];

    expect(
      refusals.map(({ problem, isUnchanged }) => [
        problem.status,
        problem.code,
        problem["same_answer"],
        isUnchanged,
      ]),
    ).toEqual([
      [409, "call_not_pending", true, true],
      [409, "call_not_pending", false, true],
    ]);
  });

  test("by a key without the event's scope", async () => {
    const parked = await openParked();
    const events = [
      confirmation(parked.reply, parked.pending),
      externalResults(parked.reply, parked.pending),
      { type: "USER_INTERRUPT", reply_id: parked.reply.id },
    ];
    const scopes = ["confirmations:write", "tool_results:write", "replies:write"] as const;

    const lacking = [];
    for (const [index, json] of events.entries()) {
      const others = scopes.filter((_, other) => other !== index);
      const { problem, isUnchanged } = await refusalIn(parked, json, await keyWith(parked, others));
      lacking.push([problem.status, problem["required_scope"], isUnchanged]);
    }

    expect(lacking).toEqual(scopes.map((scope) => [403, scope, true]));
  });

  test("while another call of the reply waits, with what still does", async () => {
    const parked = await openParked(`${REFUND}\n${LABEL}`);
    const label = parked.pending.filter(({ kind }) => kind === "external_result");
    await ask<Reply>("POST", parked.events, {
      ...parked.call,
      json: externalResults(parked.reply, label),
    });

    const { problem } = await refusalIn(parked, externalResults(parked.reply, label, "Another"));

    expect([problem.code, (problem["pending"] as PendingCall[]).map(({ kind }) => kind)]).toEqual([
      "call_not_pending",
      ["permission"],
    ]);
  });
});

describe("a body is refused with a pointer", () => {
  const call = { tool_call: { id: "call_1" } };
  const confirm = { type: "USER_CONFIRM_RESULT", reply_id: "rep_1" };
  const yes = { ...confirm, confirm_results: [{ confirmed: true, ...call }] };
  const execution = { type: "EXTERNAL_EXECUTION_RESULT", reply_id: "rep_1" };
  const result = { id: "call_1", output: "x" };

  test.each<[string, object]>([
    ["#/type", { type: "REPLY_END", reply_id: "rep_1" }],
    ["#/type", {}],
    ["#/reply_id", { type: "USER_INTERRUPT" }],
    ["#/seq", { type: "USER_INTERRUPT", reply_id: "rep_1", seq: 4 }],
    ["#/colour", { ...yes, colour: "red" }],
    ["#/confirm_results", confirm],
    ["#/confirm_results", { ...confirm, confirm_results: [] }],
    [
      "#/confirm_results",
      { ...confirm, confirm_results: Array.from({ length: 129 }, () => yes.confirm_results[0]) },
    ],
    ["#/confirm_results/0/confirmed", { ...confirm, confirm_results: [call] }],
    ["#/confirm_results/0/tool_call", { ...confirm, confirm_results: [{ confirmed: true }] }],
    [
      "#/confirm_results/0/tool_call/id",
      { ...confirm, confirm_results: [{ confirmed: true, tool_call: { id: "" } }] },
    ],
    [
      "#/confirm_results/0/tool_call/input",
      { ...confirm, confirm_results: [{ confirmed: true, tool_call: { id: "c", input: 7 } }] },
    ],
    [
      "#/confirm_results/0/rules/0/behavior",
      {
        ...confirm,
        confirm_results: [
          {
            confirmed: true,
            ...call,
            rules: [{ tool_name: "t", rule_content: null, behavior: "passthrough" }],
          },
        ],
      },
    ],
    [
      "#/confirm_results/0/colour",
      { ...confirm, confirm_results: [{ ...yes.confirm_results[0], colour: 1 }] },
    ],
    ["#/metadata", { ...yes, metadata: { note: "x".repeat(70_000) } }],
    [
      "#/execution_results/0/state",
      { ...execution, execution_results: [{ ...result, state: "running" }] },
    ],
    [
      "#/execution_results/0/output/0/type",
      {
        ...execution,
        execution_results: [{ id: "c", output: [{ type: "thinking", thinking: "hm" }] }],
      },
    ],
    [
      "#/execution_results/0/output/0/type",
      {
        ...execution,
        execution_results: [{ id: "c", output: [{ type: "tool_call", id: "c", name: "t" }] }],
      },
    ],
    ["#/execution_results/0/output", { ...execution, execution_results: [{ id: "c" }] }],
  ])("%s", async (pointer, json) => {
    const { path, call: key } = await openSession();

    const answer = await ask("POST", `${path}/events`, { ...key, json });

    expect(refusalOf(answer)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [pointer],
    });
  });

  test("the same call twice", async () => {
    const parked = await openParked();
    const [call] = parked.pending as [PendingCall];

    const { problem, isUnchanged } = await refusalIn(
      parked,
      confirmation(parked.reply, [call, call]),
    );

    expect([problem.code, problem.errors?.map(({ pointer }) => pointer), isUnchanged]).toEqual([
      "validation_failed",
      ["#/confirm_results/1"],
      true,
    ]);
  });

  test("a query that is not known", async () => {
    const { path, call: key } = await openSession();
    const json = { type: "USER_INTERRUPT", reply_id: "rep_1" };

    const answer = await ask("POST", `${path}/events?stream=yes`, { ...key, json });

    expect(refusalOf(answer)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/query/stream"],
    });
  });
});
