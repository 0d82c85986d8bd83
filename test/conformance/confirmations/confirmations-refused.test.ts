// Confirmations that are forged, stale or not for this caller to give: each is refused with its own code, and nothing
// ran, as the tool's own server tells.
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { sampled } from "../../support/breadth.ts";
import { request } from "../../support/platform-client.ts";
import {
  CALLER_KINDS,
  confirmation,
  DENIED_ORDER,
  mintToken,
  openRefundOffice,
  type CallerKind,
  type ParkedRefund,
  type RefundOffice,
} from "../../support/refund-office.ts";

let office: RefundOffice;

beforeAll(async () => {
  office = await openRefundOffice();
});
afterAll(() => office.stop());

const OTHER_RULE = {
  tool_name: "refund_order",
  rule_content: "A-9999",
  behavior: "allow",
  source: "session",
} as const;

/** Every forgery that a holder of a right credential can try. */
function forgeries(
  parked: ParkedRefund,
  other: ParkedRefund,
): readonly (readonly [string, object])[] {
  const { id } = other.call.tool_call;
  const denied = JSON.stringify({ order_id: DENIED_ORDER });
  return [
    ["another tool's name", confirmation(parked, { tool_call: { name: "print_label" } })],
    ["an input that a deny rule forbids", confirmation(parked, { tool_call: { input: denied } })],
    ["an input that is no JSON", confirmation(parked, { tool_call: { input: "{" } })],
    ["a rule that was not suggested", confirmation(parked, { rules: [OTHER_RULE] })],
    ["a stale hash", confirmation(parked, { input_hash: `sha256:${"0".repeat(64)}` })],
    ["another session's call", confirmation(parked, { tool_call: { id } })],
    ["another session's reply", confirmation(other)],
  ];
}

const CODES = [
  ["another tool's name", 400, "tool_name_changed"],
  ["an input that a deny rule forbids", 403, "denied_by_rule"],
  ["an input that is no JSON", 400, "edited_input_invalid"],
  ["a rule that was not suggested", 403, "rule_not_suggested"],
  ["a stale hash", 409, "input_hash_mismatch"],
  ["another session's call", 409, "call_not_pending"],
  ["another session's reply", 409, "call_not_pending"],
];

/** A client token gives no rules at all, and is told that. */
function codesFor(kind: CallerKind): unknown {
  return CODES.map(([what, status, code]) =>
    kind === "client token" && code === "rule_not_suggested"
      ? [what, 403, "rules_forbidden"]
      : [what, status, code],
  );
}

async function countEvents({ sessionId }: ParkedRefund): Promise<number> {
  const path = `/v1/sessions/${sessionId}/events?limit=100`;
  return (await request<{ data: unknown[] }>("GET", path, { key: office.key })).body.data.length;
}

function refundsOf({ sessionId }: ParkedRefund): readonly unknown[] {
  return office.tools.requests
    .map(({ body }) => body as { session_id: string; input: unknown })
    .filter(({ session_id }) => session_id === sessionId)
    .map(({ input }) => input);
}

/** The answer that is right, and the reply's way to its end. */
async function finish(parked: ParkedRefund, post: Awaited<ReturnType<ParkedRefund["caller"]>>) {
  const { status } = await post(confirmation(parked));
  const path = `/v1/sessions/${parked.sessionId}/replies/${parked.reply.id}`;
  const readStatus = async () =>
    (await request<{ status: string }>("GET", path, { key: office.key })).body.status;
  await expect.poll(readStatus).toBe("completed");
  return status;
}

for (const [rows, breadth] of sampled(CALLER_KINDS, 1))
  describe.each(rows)("a confirmation by %s", breadth, (kind) => {
    it("is refused with the code of what is wrong with it, and leaves nothing behind", async () => {
      const [parked, other] = [await office.park(), await office.park()];
      const post = await parked.caller(kind);
      const before = await countEvents(parked);

      const refused = [];
      for (const [what, event] of forgeries(parked, other)) {
        const { status, body } = await post(event);
        refused.push([what, status, body.code]);
      }

      expect(refused).toEqual(codesFor(kind));
      expect([await countEvents(parked), refundsOf(parked), refundsOf(other)]).toEqual([
        before,
        [],
        [],
      ]);
    });

    it("still counts after all that was refused, once: a replay is refused after the tool ran", async () => {
      const [parked, other] = [await office.park(), await office.park()];
      const post = await parked.caller(kind);
      for (const [, event] of forgeries(parked, other)) await post(event);

      const status = await finish(parked, post);
      const replays = [
        await post(confirmation(parked)),
        await post(confirmation(parked, { confirmed: false })),
      ];

      expect(status).toBe(202);
      expect(
        replays.map(({ status: replayed, body }) => [replayed, body.code, body["same_answer"]]),
      ).toEqual([
        [409, "confirmation_used", true],
        [409, "confirmation_used", false],
      ]);
      expect(refundsOf(parked)).toEqual([{ order_id: "A-1001" }]);
    });

    it("has to bring the hash of the input back, unless it is a key's", async () => {
      const parked = await office.park();
      const post = await parked.caller(kind);

      const { status, body } = await post(confirmation(parked, { input_hash: null }));

      if (kind === "API key") return expect(status).toBe(202);
      expect([status, body.code, refundsOf(parked)]).toEqual([400, "input_hash_missing", []]);
    });
  });

describe("a credential that is not for confirming", () => {
  it("is told which verb or scope it lacks, and nothing ran", async () => {
    const parked = await office.park();
    const path = `/v1/sessions/${parked.sessionId}`;
    const token = await mintToken(office.key, path, ["read", "reply", "interrupt", "tool_result"]);
    const key = (
      await request<{ api_key: string }>("POST", "/v1/api-keys", {
        key: office.key,
        body: { scopes: ["replies:write", "tool_results:write", "permission_rules:write"] },
      })
    ).body.api_key;

    const refused = [];
    for (const credential of [token, key]) {
      const { status, body } = await request("POST", `${path}/events`, {
        key: credential,
        body: confirmation(parked),
      });
      refused.push([status, body["code"], body["required_verb"] ?? body["required_scope"]]);
    }

    expect(refused).toEqual([
      [403, "verb_missing", "confirm"],
      [403, "insufficient_scope", "confirmations:write"],
    ]);
    expect(refundsOf(parked)).toEqual([]);
  });

  it("of another session or another tenant finds nothing", async () => {
    const [parked, other] = [await office.park(), await office.park()];
    const stranger = await openRefundOffice();
    await stranger.stop();
    const path = `/v1/sessions/${parked.sessionId}`;
    const token = await mintToken(office.key, `/v1/sessions/${other.sessionId}`, ["confirm"]);

    const refused = [];
    for (const key of [token, stranger.key]) {
      const { status, body } = await request("POST", `${path}/events`, {
        key,
        body: confirmation(parked),
      });
      refused.push([status, body["code"]]);
    }
    const address = await other.caller("callback");
    const { status, body } = await address(confirmation(parked));

    expect([...refused, [status, body.code]]).toEqual([
      [404, "not_found"],
      [404, "not_found"],
      [409, "call_not_pending"],
    ]);
    expect([...refundsOf(parked), ...refundsOf(other)]).toEqual([]);
  });
});
