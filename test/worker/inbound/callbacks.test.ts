import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";

import type { AnswerReceipt, Callback } from "../../../protocol/inbound/callbacks.ts";
import type { Decision } from "../../../protocol/permission/contract.ts";
import type { PendingCall, Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { app } from "../../../worker/app.ts";
import { ask, OPERATOR, refusalOf } from "../support/api.ts";
import { addressOf } from "../support/callback-address.ts";
import { keyed } from "../support/keyed.ts";
import {
  CANCEL,
  confirmation,
  DESK,
  externalResults,
  LABEL,
  LABEL_TOOL,
  openParked,
  REFUND,
  REFUND_TOOL,
} from "../support/parked-session.ts";

afterEach(() => vi.restoreAllMocks());

type Parked = Awaited<ReturnType<typeof openParked>>;

function withHashes(event: object, calls: readonly PendingCall[]): object {
  const input_hashes = Object.fromEntries(
    calls.map(({ tool_call, input_hash }) => [tool_call.id, input_hash]),
  );
  return { ...event, metadata: { input_hashes } };
}

function yes({ reply, pending }: Pick<Parked, "reply" | "pending">, changes: object = {}): object {
  return withHashes(confirmation(reply, pending, changes), pending);
}

/** {@link yes} with another input. */
function edited({ reply, pending }: Parked): object {
  const input = JSON.stringify({ order_id: "A-1001", amount_cents: 1_000_000_000 });
  const calls = pending.map((call) => ({ ...call, tool_call: { ...call.tool_call, input } }));
  return withHashes(confirmation(reply, calls), pending);
}

function fail(): never {
  throw new Error("the object is away");
}

/** The reply once it has ended or waits again. */
async function settled({ path, call, reply }: Parked): Promise<Reply> {
  const read = () => ask<Reply>("GET", `${path}/replies/${reply.id}`, call);
  await expect.poll(async () => (await read()).json.status).not.toBe("running");
  return (await read()).json;
}

describe("a callback address", () => {
  test("shows what waits, with what an answer has to bring back", async () => {
    const parked = await openParked();
    const { path, expires_at } = await addressOf(parked);
    const { status, json } = await ask<Callback>("GET", path);

    expect([status, json]).toEqual([
      200,
      {
        session_id: parked.session.id,
        reply_id: parked.reply.id,
        pending: [
          {
            kind: "permission",
            tool_call: expect.objectContaining({ id: parked.pending[0]!.tool_call.id }),
            input_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
            expires_at: expect.any(String),
            suggested_rules: parked.pending[0]!.suggested_rules,
            question: 'Run `refund_order` with order_id "A-1001", amount_cents 4200?',
            reasons: { reason: "Mode: default", rule: null, untrusted: [] },
          },
        ],
        expires_at,
      },
    ]);
  });

  test("takes a confirmation once, and then shows that nothing waits", async () => {
    const parked = await openParked();
    const { path } = await addressOf(parked);
    const first = await ask<AnswerReceipt>("POST", path, { json: yes(parked) });
    const { status } = await settled(parked);
    const again = await ask("POST", path, { json: yes(parked) });
    const other = await ask("POST", path, { json: yes(parked, { confirmed: false }) });
    const shown = await ask<Callback>("GET", path);

    expect([first.status, first.json, status]).toEqual([
      202,
      {
        session_id: parked.session.id,
        reply_id: parked.reply.id,
        status: expect.stringMatching(/^(?:running|completed)$/),
        applied: true,
      },
      "completed",
    ]);
    expect([
      refusalOf(again).code,
      refusalOf(other).code,
      shown.status,
      shown.json.pending,
    ]).toEqual(["confirmation_used", "confirmation_used", 200, []]);
  });

  test("gives a repeated answer its receipt again under an Idempotency-Key, which is the address's own", async () => {
    const parked = await openParked(`${REFUND}\n${CANCEL}`);
    const [one, two] = parked.pending.map((call) => ({ ...parked, pending: [call] }));
    const addresses = [
      await addressOf(one!, { message_id: "whm_one" }),
      await addressOf(two!, { message_id: "whm_two" }),
      await addressOf(one!, { message_id: "whm_one", may_edit: true }),
    ];
    const no = { confirmed: false };
    const post = ({ path }: { readonly path: string }, json: object) =>
      ask<AnswerReceipt>("POST", path, { ...keyed({}), json });
    const answers = [
      await post(addresses[0]!, yes(one!, no)),
      await post(addresses[0]!, yes(one!, no)),
      await post(addresses[1]!, yes(two!, no)),
    ];
    await settled(parked);
    const later = await post(addresses[0]!, yes(one!, no));
    const refused = [
      await ask("POST", addresses[0]!.path, { ...keyed({}), json: yes(one!) }),
      await ask("POST", addresses[2]!.path, { ...keyed({}), json: yes(one!, no) }),
    ];

    expect(
      [...answers, later].map(({ status, headers, json }) => [
        status,
        headers.get("Idempotent-Replayed"),
        json.applied,
      ]),
    ).toEqual([
      [202, null, true],
      [202, "true", true],
      [202, null, true],
      [202, "true", true],
    ]);
    expect(refused.map(({ json }) => json.code)).toEqual([
      "idempotency_key_reused",
      "idempotency_key_reused",
    ]);
  });

  test("tells nothing of keys, and reads no body, where its signature is not good", async () => {
    const { path } = await addressOf(await openParked());
    const answer = await ask("POST", `${path.slice(0, -1)}_`, {
      headers: { "Idempotency-Key": "a b", "Content-Type": "application/json" },
      body: "{",
    });

    expect(refusalOf(answer)).toEqual({ status: 401, code: "unauthenticated" });
  });

  test("takes an edit when it was sent to edit; others, and those of before, leave the call waiting", async () => {
    const parked = await openParked();
    const refused = await ask("POST", (await addressOf(parked)).path, { json: edited(parked) });
    const { json: waiting } = await ask<Reply>(
      "GET",
      `${parked.path}/replies/${parked.reply.id}`,
      parked.call,
    );
    const { path } = await addressOf(parked, { may_edit: true });
    const taken = await ask("POST", path, { json: edited(parked) });

    expect([refusalOf(refused), refused.json["required_verb"], waiting.pending]).toEqual([
      {
        status: 403,
        code: "verb_missing",
        pointers: ["#/confirm_results/0/tool_call/input"],
      },
      "edit",
      parked.pending,
    ]);
    expect(taken.status).toBe(202);
  });

  test("that asked for a yes takes no result of the call that it let go on", async () => {
    const label = { ...LABEL_TOOL, read_only: false };
    const parked = await openParked(LABEL, { ...DESK, tools: [label] });
    const asked = await addressOf(parked);
    await ask("POST", asked.path, { json: yes(parked) });
    const waiting = await settled(parked);
    const json = externalResults(waiting, waiting.pending);
    const forged = await ask("POST", asked.path, { json });
    const shown = await ask<Callback>("GET", asked.path);
    const handedOut = await addressOf({ ...parked, pending: waiting.pending });
    const brought = await ask<AnswerReceipt>("POST", handedOut.path, { json });

    expect([waiting.status, waiting.pending.map(({ kind }) => kind)]).toEqual([
      "awaiting_external_result",
      ["external_result"],
    ]);
    expect([forged.status, refusalOf(forged).code, shown.json.pending]).toEqual([
      409,
      "call_not_pending",
      [],
    ]);
    expect([brought.status, brought.json.applied]).toEqual([202, true]);
  });

  test("takes the result of an external tool", async () => {
    const parked = await openParked(LABEL);
    const { path } = await addressOf(parked);
    const json = externalResults(parked.reply, parked.pending);
    const { status } = await ask("POST", path, { json });
    const reply = await settled(parked);

    expect([status, reply.status, JSON.stringify(reply.message).includes("Label 4711")]).toEqual([
      202,
      "completed",
      true,
    ]);
  });

  test("stands in the audit record as what it is", async () => {
    const parked = await openParked();
    const { path } = await addressOf(parked);
    await ask("POST", path, { json: yes(parked, { confirmed: false }) });
    const { json } = await ask<Page<Decision>>("GET", `${parked.path}/decisions`, parked.call);

    expect(json.data[0]).toMatchObject({
      tool_call_id: parked.pending[0]!.tool_call.id,
      behavior: "deny",
      decided_by: { kind: "callback", id: "whm_1" },
    });
  });

  test("believes a confirmation only with the hash of the input", async () => {
    const parked = await openParked();
    const { path } = await addressOf(parked);
    const stale = [{ ...parked.pending[0]!, input_hash: `sha256:${"0".repeat(64)}` }];
    const plain = confirmation(parked.reply, parked.pending);

    expect([
      refusalOf(await ask("POST", path, { json: plain })).code,
      refusalOf(await ask("POST", path, { json: withHashes(plain, stale) })).code,
    ]).toEqual(["input_hash_missing", "input_hash_mismatch"]);
  });

  test("may switch on rules that were suggested, and no others", async () => {
    const parked = await openParked();
    const { path } = await addressOf(parked);
    const rules = parked.pending[0]!.suggested_rules;
    const wider = [{ ...rules[0]!, tool_name: "print_label" }];

    expect([
      refusalOf(await ask("POST", path, { json: yes(parked, { rules: wider }) })).code,
      (await ask("POST", path, { json: yes(parked, { rules }) })).status,
    ]).toEqual(["rule_not_suggested", 202]);
  });

  test("is for its own calls alone", async () => {
    const parked = await openParked(
      `${REFUND}\n${REFUND.replace("refund_order", "cancel_order")}`,
      {
        name: "Refund desk",
        tools: ["refund_order", "cancel_order"].map((name) => {
          return { ...REFUND_TOOL, name, concurrency_safe: true };
        }),
      },
    );
    const [mine, other] = parked.pending;
    const { path } = await addressOf(parked, { tool_call_ids: [mine!.tool_call.id] });
    const stranger = await openParked();
    const answer = (calls: readonly PendingCall[], reply: Reply = parked.reply) => ({
      json: withHashes(confirmation(reply, calls), calls),
    });
    const shown = await ask<Callback>("GET", path);
    const refused = [
      await ask("POST", path, answer([other!])),
      await ask("POST", path, answer([mine!, other!])),
      await ask("POST", path, answer(stranger.pending, stranger.reply)),
      await ask("POST", path, answer(stranger.pending)),
      await ask("POST", path, answer([mine!], stranger.reply)),
    ];

    expect([
      shown.json.pending.map(({ tool_call }) => tool_call.id),
      refused.map(({ json }) => json.code),
      (await settled(parked)).pending.length,
      (await ask("POST", path, answer([mine!]))).status,
    ]).toEqual([[mine!.tool_call.id], refused.map(() => "call_not_pending"), 2, 202]);
  });

  test.each([
    ["an interrupt", { type: "USER_INTERRUPT" }, ["#/type"]],
    ["an event of the agent's", { type: "REPLY_END" }, ["#/type"]],
    ["no answers", { type: "USER_CONFIRM_RESULT", confirm_results: [] }, ["#/confirm_results"]],
  ])("takes no %s", async (_, event, pointers) => {
    const parked = await openParked();
    const { path } = await addressOf(parked);
    const answer = await ask("POST", path, { json: { ...event, reply_id: parked.reply.id } });

    expect(refusalOf(answer)).toEqual({ status: 400, code: "validation_failed", pointers });
  });

  test("opens nothing once it has expired or was changed", async () => {
    const parked = await openParked();
    const { path: expired } = await addressOf(parked, { exp: Date.now() });
    const { path } = await addressOf(parked);
    const appToken = path.replace("cb_", "rt_");
    const paths = [expired, path.slice(0, -1), `${path}A`, appToken, "/v1/callbacks/cb_a.b"];

    const answers = [];
    for (const address of paths) {
      const call = { json: yes(parked) };
      const [read, posted] = [await ask("GET", address), await ask("POST", address, call)];
      answers.push([read.json.code, posted.json.code, read.headers.get("WWW-Authenticate")]);
    }

    expect(answers).toEqual(
      paths.map(() => ["unauthenticated", "unauthenticated", 'Bearer realm="reprise"']),
    );
    expect((await ask("GET", expired)).json.detail).toContain("has expired");
    expect((await settled(parked)).pending).toHaveLength(1);
  });

  test("of a session or a tenant that is gone leads nowhere", async () => {
    const [first, second] = [await openParked(), await openParked()];
    const paths = [(await addressOf(first)).path, (await addressOf(second)).path];
    await ask("DELETE", first.path, first.call);
    await ask("DELETE", `/v1/tenants/${second.tenantId}`, OPERATOR);
    const [one, two] = [yes(first), yes(second)];

    expect([
      (await ask("GET", paths[0]!)).status,
      (await ask("POST", paths[0]!, { json: one })).status,
      (await ask("GET", paths[1]!)).status,
      (await ask("POST", paths[1]!, { json: two })).status,
    ]).toEqual([404, 404, 401, 401]);
  });

  test("stands in no log when a request for it fails", async () => {
    const { path, token } = await addressOf(await openParked());
    const lines: string[] = [];
    vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
    const broken = { ...env, SESSION: { getByName: fail } };
    const { status } = await app.fetch(new Request(`https://api.test${path}`), broken);

    expect([status, lines.length, lines.filter((line) => line.includes(token.slice(3)))]).toEqual([
      500,
      1,
      [],
    ]);
    expect(JSON.parse(lines[0]!)).toMatchObject({ path: "/v1/callbacks/{callback_token}" });
  });
});
