// Webhooks that come in, signed by the standard's own package.
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { AnswerReceipt } from "../../../protocol/inbound/callbacks.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { CreatedInboundEndpoint } from "../../../protocol/inbound/contract.ts";
import type { Decision } from "../../../protocol/permission/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { ask, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";
import { confirmation, externalResults, LABEL, openParked } from "../support/parked-session.ts";

const SIGNATURE_INVALID = { status: 401, code: "signature_invalid", pointers: undefined };

interface Sender {
  readonly id: string;
  readonly secret: string;
}
interface Sending {
  readonly id?: string;
  readonly atMs?: number;
  /** The body that is sent in place of the signed one. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function makeEndpoint(call: { key: string }): Promise<CreatedInboundEndpoint> {
  const json = { name: "Label printer" };
  return (await ask<CreatedInboundEndpoint>("POST", "/v1/inbound-endpoints", { ...call, json }))
    .json;
}

/** Signs as the standard's package does, and sends. */
function sendWebhook<Body = AnswerReceipt>(
  { id: endpointId, secret }: Sender,
  message: unknown,
  sending: Sending = {},
) {
  const { id = `msg_${crypto.randomUUID()}`, atMs = Date.now() } = sending;
  const text = JSON.stringify(message);
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(atMs / 1_000)),
    "webhook-signature": new Webhook(secret).sign(id, new Date(atMs), text),
    ...sending.headers,
  };
  return ask<Body>("POST", `/v1/inbound/${endpointId}`, { headers, body: sending.body ?? text });
}

async function openReceiving(input?: string) {
  const parked = await openParked(input);
  const endpoint = await makeEndpoint(parked.call);
  const event = confirmation(parked.reply, parked.pending, { confirmed: false });
  return { ...parked, endpoint, message: { session_id: parked.session.id, event } };
}

describe("a signed webhook", () => {
  test("answers a call, without the hash that strangers have to bring", async () => {
    const { endpoint, message, session, reply, path, call } = await openReceiving();
    const { status, json } = await sendWebhook(endpoint, message);
    const { json: decisions } = await ask<Page<Decision>>("GET", `${path}/decisions`, call);

    expect([status, json, decisions.data[0]?.decided_by]).toEqual([
      202,
      {
        session_id: session.id,
        reply_id: reply.id,
        status: expect.stringMatching(/^(?:running|completed)$/),
        applied: true,
      },
      { kind: "inbound_endpoint", id: endpoint.id },
    ]);
  });

  test("brings the result of an external tool, and interrupts", BROAD, async () => {
    const first = await openReceiving(LABEL);
    const second = await openReceiving();
    const result = {
      session_id: first.session.id,
      event: externalResults(first.reply, first.pending),
    };
    const interrupt = {
      session_id: second.session.id,
      event: { type: "USER_INTERRUPT", reply_id: second.reply.id },
    };
    const statuses = [
      (await sendWebhook(first.endpoint, result)).status,
      (await sendWebhook(second.endpoint, interrupt)).status,
    ];
    const { path, call, reply } = second;
    const { json } = await ask<Reply>("GET", `${path}/replies/${reply.id}`, call);

    expect([statuses, json.status]).toEqual([[202, 202], "interrupted"]);
  });

  test("is believed with either of two live secrets, and not with one that is over", async () => {
    const { endpoint, message, call } = await openReceiving();
    const rotate = async (overlap_ms: number) => {
      const path = `/v1/inbound-endpoints/${endpoint.id}/rotate-secret`;
      const { json } = await ask<CreatedInboundEndpoint>("POST", path, {
        ...call,
        json: { overlap_ms },
      });
      return json;
    };
    const second = await rotate(60_000);
    const codes = [
      (await sendWebhook(endpoint, message)).status,
      (await sendWebhook(second, { ...message, session_id: "ses_1" })).status,
    ];
    const third = await rotate(0);
    for (const sender of [endpoint, second, third]) {
      codes.push((await sendWebhook(sender, { ...message, session_id: "ses_1" })).status);
    }

    expect(codes).toEqual([202, 404, 401, 401, 404]);
  });

  test("is taken once: its id is spent", BROAD, async () => {
    const { endpoint, message } = await openReceiving();
    const id = "msg_once.with.dots";
    const first = await sendWebhook(endpoint, message, { id });
    const replayed = await sendWebhook<never>(endpoint, message, { id });
    const later = await sendWebhook<never>(endpoint, message, { id, atMs: Date.now() + 60_000 });

    expect([first.status, refusalOf(replayed), refusalOf(later).code]).toEqual([
      202,
      { status: 409, code: "webhook_replayed", pointers: undefined },
      "webhook_replayed",
    ]);
  });

  test("that came twice at once is acted on once", async () => {
    const { endpoint, message } = await openReceiving();
    const id = "msg_twice";
    const answers = await Promise.all([1, 2, 3].map(() => sendWebhook(endpoint, message, { id })));

    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
  });

  test("of one endpoint spends no id of another", async () => {
    const { endpoint, message, call } = await openReceiving();
    const other = await makeEndpoint(call);
    const again = { ...message, session_id: "ses_1" };

    expect([
      (await sendWebhook(endpoint, message, { id: "msg_1" })).status,
      refusalOf(await sendWebhook<never>(other, again, { id: "msg_1" })).code,
    ]).toEqual([202, "not_found"]);
  });

  test("that was refused may come again under its id", BROAD, async () => {
    const { endpoint, message, path, call } = await openReceiving();
    const id = "msg_again";
    const early = { ...message, event: { ...message.event, reply_id: `rep_${"0".repeat(26)}` } };
    const missing = { ...message, session_id: `ses_${"0".repeat(26)}` };
    const codes = [
      (await sendWebhook<never>(endpoint, early, { id })).status,
      (await sendWebhook<never>(endpoint, missing, { id })).status,
      (await sendWebhook(endpoint, message, { id })).status,
      (await sendWebhook<never>(endpoint, message, { id })).status,
    ];
    await ask("DELETE", path, call);

    expect(codes).toEqual([409, 404, 202, 409]);
  });

  test("leaves its id there no longer than its signature would be believed", async () => {
    const { endpoint, message, tenantId } = await openReceiving();
    const ids = async () => {
      const { results } = await env.DB.prepare(
        "SELECT webhook_id FROM inbound_messages WHERE endpoint_id = ? ORDER BY received_at",
      )
        .bind(endpoint.id)
        .all<{ webhook_id: string }>();
      return results.map(({ webhook_id }) => webhook_id);
    };
    for (const [id, ageMs] of [
      ["msg_old", 601_000],
      ["msg_young", 590_000],
    ] as const) {
      await env.DB.prepare("INSERT INTO inbound_messages VALUES (?, ?, ?, ?)")
        .bind(endpoint.id, id, tenantId, new Date(Date.now() - ageMs).toISOString())
        .run();
    }
    await sendWebhook(endpoint, message, { id: "msg_new" });

    expect(await ids()).toEqual(["msg_young", "msg_new"]);
  });

  test("reaches no session of another tenant", async () => {
    const mine = await openReceiving();
    const { call } = await makeTenant();
    const stranger = await makeEndpoint(call);

    expect([
      refusalOf(await sendWebhook<never>(stranger, mine.message)),
      (await ask<Reply>("GET", `${mine.path}/replies/${mine.reply.id}`, mine.call)).json.status,
    ]).toEqual([{ status: 404, code: "not_found", pointers: undefined }, "awaiting_permission"]);
  });
});

describe("a webhook that is not to be believed", () => {
  test("is told so in the same words, whatever is wrong and whether the endpoint exists", async () => {
    const { endpoint, message, call } = await openReceiving();
    const deleted = await makeEndpoint(call);
    await ask("DELETE", `/v1/inbound-endpoints/${deleted.id}`, call);
    const closed = await makeTenant();
    const closedEndpoint = await makeEndpoint(closed.call);
    await ask("DELETE", `/v1/tenants/${closed.id}`, OPERATOR);
    const unknown = { id: `whi_${"0".repeat(26)}`, secret: endpoint.secret };
    const body = JSON.stringify(message);
    const answers = [
      await sendWebhook<never>({ ...endpoint, secret: deleted.secret }, message),
      await sendWebhook<never>(endpoint, message, { body: `${body} ` }),
      await sendWebhook<never>(endpoint, message, { headers: { "webhook-id": "msg_other" } }),
      await sendWebhook<never>(endpoint, message, { headers: { "webhook-signature": "v1,x" } }),
      await sendWebhook<never>(endpoint, message, { headers: { "webhook-timestamp": "now" } }),
      await sendWebhook<never>(deleted, message),
      await sendWebhook<never>(closedEndpoint, message),
      await sendWebhook<never>(unknown, message),
    ];

    const told = answers.map((answer) => [refusalOf(answer), answer.json["detail"]]);
    const detail = "no signature fits a secret of this endpoint";
    expect(told).toEqual(answers.map(() => [SIGNATURE_INVALID, detail]));
    expect(answers[0]?.headers.get("WWW-Authenticate")).toBe("StandardWebhooks");
  });

  test(
    "may be signed with the key that stands for no endpoint's: it opens none",
    BROAD,
    async () => {
      const { endpoint, message, call } = await openReceiving();
      const deleted = await makeEndpoint(call);
      await ask("DELETE", `/v1/inbound-endpoints/${deleted.id}`, call);
      const secret = `whsec_${btoa("\0".repeat(32))}`;
      const ids = [endpoint.id, deleted.id, `whi_${"0".repeat(26)}`];
      const told = [];
      for (const id of ids) {
        const answer = await sendWebhook<never>({ id, secret }, message);
        told.push([refusalOf(answer), answer.json["detail"]]);
      }
      // Nor is anybody told that its time is off, which only an endpoint's own key would bring out.
      for (const id of ids.slice(1)) {
        const atMs = Date.now() - 3_600_000;
        const answer = await sendWebhook<never>({ id, secret }, message, { atMs });
        told.push([refusalOf(answer), answer.json["detail"]]);
      }

      const detail = "no signature fits a secret of this endpoint";
      expect(told).toEqual(told.map(() => [SIGNATURE_INVALID, detail]));
    },
  );

  test("is too old or too new by more than five minutes", async () => {
    const { endpoint, message } = await openReceiving();
    const offsets = [-310_000, 310_000, -290_000];

    const answers = [];
    for (const offset of offsets) {
      const atMs = Date.now() + offset;
      const { status, json } = await sendWebhook<{ detail?: string }>(endpoint, message, { atMs });
      answers.push([status, json.detail]);
    }

    const detail = "webhook-timestamp is more than 5 minutes from now";
    expect(answers).toEqual([
      [401, detail],
      [401, detail],
      [202, undefined],
    ]);
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])(
    "comes without %s",
    async (name) => {
      const { endpoint, message } = await openReceiving();
      const answer = await sendWebhook<never>(endpoint, message, { headers: { [name]: "" } });

      expect(refusalOf(answer)).toEqual(SIGNATURE_INVALID);
    },
  );

  test.each([
    [{ event: {} }, "#/session_id"],
    [{ session_id: "ses_1", event: { type: "REPLY_END", reply_id: "rep_1" } }, "#/event/type"],
  ])("is signed but says nothing that could be done: %j", async (message, pointer) => {
    const { call } = await makeTenant();
    const endpoint = await makeEndpoint(call);
    const answer = await sendWebhook<never>(endpoint, message);

    expect([answer.status, refusalOf(answer).pointers]).toEqual([
      400,
      expect.arrayContaining([pointer]),
    ]);
  });
});
