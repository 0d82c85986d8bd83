// Answers that an app may give with a client token: it proves what it saw, and gives no rules.
import { describe, expect, test } from "vitest";

import type { ClientToken, Verb } from "../../../protocol/client-tokens/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { EventReceipt } from "../../../protocol/events/contract.ts";
import type { Decision } from "../../../protocol/permission/contract.ts";
import type { InterruptResult, PendingCall } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask } from "../support/api.ts";
import { confirmation, externalResults, LABEL, openParked } from "../support/parked-session.ts";

type Parked = Awaited<ReturnType<typeof openParked>>;

async function tokenOf({ path, call }: Parked, verbs: readonly Verb[]) {
  const { json } = await ask<ClientToken>("POST", `${path}/tokens`, { ...call, json: { verbs } });
  return { key: json.token };
}

/** A yes with the hash of the input that was seen. */
function provenConfirmation({ reply, pending }: Parked, rules?: readonly object[]) {
  const [{ tool_call, input_hash }] = pending as [PendingCall];
  return {
    ...confirmation(reply, pending, rules && { rules }),
    metadata: { input_hashes: { [tool_call.id]: input_hash } },
  };
}

/** {@link provenConfirmation} with another input, as a value or as a text. */
function edited(parked: Parked, input: unknown) {
  const answer = provenConfirmation(parked);
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const confirm_results = answer.confirm_results.map((result) => ({
    ...result,
    tool_call: { ...result.tool_call, input: text },
  }));
  return { ...answer, confirm_results };
}

describe("with a client token", () => {
  test("an answer has to bring the hash of what was seen, and then is taken in the token's name", async () => {
    const parked = await openParked();
    const token = await tokenOf(parked, ["confirm"]);
    const before = await ask<Session>("GET", parked.path, parked.call);

    const missing = await ask("POST", parked.events, {
      ...token,
      json: confirmation(parked.reply, parked.pending),
    });
    const after = await ask<Session>("GET", parked.path, parked.call);
    const taken = await ask<EventReceipt>("POST", parked.events, {
      ...token,
      json: provenConfirmation(parked),
    });
    const { text } = await ask(
      "GET",
      `${parked.events}?after=${taken.json.cursor}&limit=1`,
      parked.call,
    );

    expect([missing.status, missing.json.code, after.json, taken.status]).toEqual([
      400,
      "input_hash_missing",
      before.json,
      202,
    ]);
    expect(text).toContain('"decided_by":{"kind":"client_token","id":"tok_');
  });

  test("no rules are given, suggested ones neither", async () => {
    const parked = await openParked();
    const token = await tokenOf(parked, ["confirm"]);
    const [{ suggested_rules }] = parked.pending as [PendingCall];

    const answer = await ask("POST", parked.events, {
      ...token,
      json: provenConfirmation(parked, suggested_rules),
    });

    const rules = await ask("GET", `${parked.path}/permission-rules`, parked.call);
    expect([answer.status, answer.json.code, suggested_rules.length, rules.json]).toEqual([
      403,
      "rules_forbidden",
      1,
      { data: [], has_more: false, next_page: null },
    ]);
  });

  test("an edit needs the verb edit beside confirm: without it nothing is answered, and the call waits", async () => {
    const parked = await openParked();
    const edit = edited(parked, { order_id: "A-1001", amount_cents: 1_000_000_000 });
    const before = await ask<Session>("GET", parked.path, parked.call);

    const refused = await ask("POST", parked.events, {
      ...(await tokenOf(parked, ["read", "reply", "confirm"])),
      json: edit,
    });
    const after = await ask<Session>("GET", parked.path, parked.call);
    const alone = await ask("POST", parked.events, {
      ...(await tokenOf(parked, ["edit"])),
      json: edit,
    });
    const taken = await ask<EventReceipt>("POST", parked.events, {
      ...(await tokenOf(parked, ["confirm", "edit"])),
      json: edited(parked, { order_id: "A-1001", amount_cents: 5 }),
    });
    const { json: record } = await ask<Page<Decision>>(
      "GET",
      `${parked.path}/decisions?limit=1`,
      parked.call,
    );

    const pointer = "#/confirm_results/0/tool_call/input";
    expect([refused.status, refused.json.code, refused.json["required_verb"]]).toEqual([
      403,
      "verb_missing",
      "edit",
    ]);
    expect(refused.json.errors?.map((error) => error.pointer)).toEqual([pointer]);
    expect(after.json).toEqual(before.json);
    expect([alone.json.code, alone.json["required_verb"]]).toEqual(["verb_missing", "confirm"]);
    expect([taken.status, record.data[0]?.edited_input]).toEqual([
      202,
      '{"order_id":"A-1001","amount_cents":5}',
    ]);
  });

  test("the same value in other words is no edit, and neither is a refusal with another input", async () => {
    const [first, second] = [await openParked(), await openParked()];
    const spaced = '{ "amount_cents": 4.2e3, "order_id": "A-1001" }';
    const no = edited(second, { order_id: "A-2" });

    const yes = await ask("POST", first.events, {
      ...(await tokenOf(first, ["confirm"])),
      json: edited(first, spaced),
    });
    const refusal = await ask("POST", second.events, {
      ...(await tokenOf(second, ["confirm"])),
      json: { ...no, confirm_results: [{ ...no.confirm_results[0], confirmed: false }] },
    });

    expect([yes.status, refusal.status]).toEqual([202, 202]);
  });

  test("each event needs its verb", async () => {
    const [refund, label] = [await openParked(), await openParked(LABEL)];
    const cases = [
      [refund, provenConfirmation(refund), "confirm"],
      [label, externalResults(label.reply, label.pending), "tool_result"],
      [refund, { type: "USER_INTERRUPT", reply_id: refund.reply.id }, "interrupt"],
    ] as const;

    const seen = [];
    for (const [parked, json, verb] of cases) {
      const others = cases.map(([, , other]) => other).filter((other) => other !== verb);
      const lacking = await ask("POST", parked.events, {
        ...(await tokenOf(parked, others)),
        json,
      });
      const having = await ask("POST", parked.events, { ...(await tokenOf(parked, [verb])), json });
      seen.push([lacking.status, lacking.json.code, lacking.json["required_verb"], having.status]);
    }

    expect(seen).toEqual(cases.map(([, , verb]) => [403, "verb_missing", verb, 202]));
  });

  test("there is no list across sessions, and no answer to many", async () => {
    const parked = await openParked();
    const token = await tokenOf(parked, ["read", "confirm", "tool_result", "interrupt"]);
    const json = {
      answers: [{ session_id: parked.session.id, event: provenConfirmation(parked) }],
    };

    const answers = [
      await ask("GET", "/v1/confirmations", token),
      await ask("POST", "/v1/confirmations", { ...token, json }),
      await ask("GET", `${parked.path}/permission-rules`, token),
    ];

    expect(answers.map(({ status, json: { code } }) => [status, code])).toEqual([
      [403, "insufficient_scope"],
      [403, "insufficient_scope"],
      [403, "insufficient_scope"],
    ]);
  });

  test("that may not read, an answer tells how the reply stands and not what was said", async () => {
    const parked = await openParked();
    const { reply, path, events } = parked;
    const confirmer = await tokenOf(parked, ["confirm"]);
    const stopper = await tokenOf(parked, ["interrupt"]);
    const stop = { type: "USER_INTERRUPT", reply_id: reply.id };

    const streamed = await ask("POST", `${events}?stream=true`, {
      ...confirmer,
      json: provenConfirmation(parked),
    });
    const waiting = await ask<Session>("GET", path, parked.call);
    const stopped = await ask<EventReceipt>("POST", events, { ...stopper, json: stop });
    const again = await ask<EventReceipt>("POST", events, { ...stopper, json: stop });
    const nothing = await ask<InterruptResult>("POST", `${path}/interrupt`, stopper);
    const read = await ask<EventReceipt>("POST", events, { ...parked.call, json: stop });

    expect([streamed.status, streamed.json.code, waiting.json.status]).toEqual([
      403,
      "verb_missing",
      "awaiting_permission",
    ]);
    expect([stopped, again].map(({ json }) => [json.reply?.status, json.reply?.message])).toEqual([
      ["interrupted", null],
      ["interrupted", null],
    ]);
    expect(nothing.json).toEqual({ interrupted: false, reply: null });
    expect(read.json.reply?.message?.id).toBe(reply.id);
  });

  test("that may not read, a refusal keeps the calls that wait to itself", async () => {
    const parked = await openParked();
    const confirmer = await tokenOf(parked, ["confirm", "reply"]);
    const reader = await tokenOf(parked, ["read", "confirm", "reply"]);
    const [{ tool_call, input_hash }] = parked.pending as [PendingCall];
    const unknown = {
      ...confirmation(parked.reply, [
        { ...parked.pending[0]!, tool_call: { ...tool_call, id: "x" } },
      ]),
      metadata: { input_hashes: { x: input_hash } },
    };

    const ofToken = async (token: { key: string }) => [
      await ask("POST", parked.events, { ...token, json: unknown }),
      await ask("POST", `${parked.path}/replies`, { ...token, json: { input: "And?" } }),
    ];
    const told = (await ofToken(reader)).map(({ json }) => [json.code, "pending" in json]);
    const kept = (await ofToken(confirmer)).map(({ json }) => [json.code, "pending" in json]);

    expect(told).toEqual([
      ["call_not_pending", true],
      ["reply_awaiting", true],
    ]);
    expect(kept).toEqual([
      ["call_not_pending", false],
      ["reply_awaiting", false],
    ]);
  });
});
