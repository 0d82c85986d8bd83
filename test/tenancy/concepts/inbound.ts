// Callbacks and inbound endpoints. What is signed is no key's business: the suites of callbacks and inbound webhooks send
// it across tenants.
import { env } from "cloudflare:workers";

import type { CreatedInboundEndpoint } from "../../../protocol/inbound/contract.ts";
import { DEFAULT_INBOUND_ENDPOINTS } from "../../../protocol/quotas/limits.ts";
import type { PendingCall } from "../../../protocol/replies/contract.ts";
import { BODY_BYTES } from "../../../protocol/routes.ts";
import { signToken } from "../../../storage/secrets/signed-token.ts";
import { parseWebhookSecret, signWebhook } from "../../../webhooks/webhook-signature.ts";
import { ask, makeTenant } from "../../worker/support/api.ts";
import { addressOf } from "../../worker/support/callback-address.ts";
import { countEvents, countListed } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import {
  confirmation,
  DESK,
  openParked,
  provenConfirmation,
  REFUND,
} from "../../worker/support/parked-session.ts";
import { secretRotation } from "../../worker/support/secret-rotation.ts";
import { NEWEST, pageToken } from "../places.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  readCallback: { answers: 200, isSilent: true, shows: [] },
  /** Nothing waits in the owner's reply. */
  answerCallback: {
    answers: 409,
    isSilent: true,
    body: ({ ids }) => ({
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: ids.reply_id,
      execution_results: [{ id: "call_1", output: "done" }],
    }),
    shows: [],
    stores: [],
  },
  createInboundEndpoint: {
    answers: 201,
    body: ({ word }) => ({ name: word }),
    shows: [],
    stores: ["+audit_entries", "+inbound_endpoints"],
    refusedBy: ["inbound_endpoints", "database_bytes"],
  },
  listInboundEndpoints: { answers: 200, places: [pageToken(`whi_${NEWEST}`)], shows: ["endpoint"] },
  readInboundEndpoint: { answers: 200, shows: ["endpoint"] },
  deleteInboundEndpoint: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "-inbound_endpoints"],
  },
  rotateInboundSecret: {
    answers: 200,
    body: () => ({}),
    shows: ["endpoint"],
    stores: ["+audit_entries", "~inbound_endpoints"],
    refusedBy: ["database_bytes"],
  },
  /** Nobody has signed it, its owner neither. */
  receiveWebhook: {
    answers: 401,
    isSilent: true,
    body: ({ ids }) => ({
      session_id: ids.session_id,
      event: { type: "USER_INTERRUPT", reply_id: ids.reply_id },
    }),
    shows: [],
    stores: [],
  },
} satisfies ConceptRows;

async function keyedCallback() {
  const parked = await openParked();
  const { call, path, reply, pending } = parked;
  return {
    path: (await addressOf(parked)).path,
    call: {},
    json: provenConfirmation(reply, pending),
    other: confirmation(reply, pending, { confirmed: false }),
    count: () => countEvents(path, call, "USER_CONFIRM_RESULT"),
  };
}

export const KEYED = {
  answerCallback: keyedCallback,

  async createInboundEndpoint() {
    const { call } = await makeTenant();
    return {
      path: "/v1/inbound-endpoints",
      call,
      json: { name: "warehouse" },
      other: { name: "accounting" },
      secrets: ["secret"],
      count: () => countListed("/v1/inbound-endpoints", call),
    };
  },

  async rotateInboundSecret() {
    const { call } = await makeTenant();
    const json = { name: "warehouse" };
    const made = await ask<CreatedInboundEndpoint>("POST", "/v1/inbound-endpoints", {
      ...call,
      json,
    });
    return {
      path: `/v1/inbound-endpoints/${made.json.id}/rotate-secret`,
      call,
      ...(await secretRotation("inbound_endpoints", made.json.id)),
    };
  },
} satisfies KeyedRequests;

const ZEROS = "0".repeat(26);
const JSON_TYPE = { "Content-Type": "application/json" };
/** Bodies that fail before anybody looks at what they say. */
const BAD_BODIES = [
  { headers: JSON_TYPE, body: "{" },
  { headers: JSON_TYPE, body: '{"no_such_field": 1}' },
  { headers: JSON_TYPE, body: `{"a":${"[".repeat(64)}${"]".repeat(64)}}` },
  { headers: JSON_TYPE, body: `{"a":"${"x".repeat(BODY_BYTES.media)}"}` },
  { headers: { "Content-Type": "text/plain" }, body: "{}" },
] as const;

type Parked = Awaited<ReturnType<typeof openParked>>;

export async function askAll(api: DocumentedApi): Promise<void> {
  await askCallbacks(api);
  await askEndpoints(api);
}

/** Answers to its call that a session refuses. */
function refusedAnswers({ reply, pending }: Parked): readonly object[] {
  const [call] = pending as readonly [PendingCall];
  const answer = (changes: object, tool_call: object = {}) => {
    const { confirm_results, ...event } = confirmation(reply, pending);
    const [result] = confirm_results;
    return {
      ...event,
      ...hashed(call),
      confirm_results: [
        { ...result, tool_call: { id: call.tool_call.id, ...tool_call }, ...changes },
      ],
    };
  };
  const rule = { tool_name: "print_label", rule_content: null, behavior: "allow" };
  return [
    answer({}, { name: "another_tool" }),
    answer({}, { input: '{"amount_cents": "many"}' }),
    answer({}, { input: '{"order_id":"A-666"}' }),
    answer({ rules: [rule] }),
    answer({}, { id: "call_of_nobody" }),
    { ...answer({}), ...hashed({ ...call, input_hash: `sha256:${"0".repeat(64)}` }) },
  ];
}

function hashed({ tool_call, input_hash }: PendingCall): object {
  return { metadata: { input_hashes: { [tool_call.id]: input_hash } } };
}

/** A refund that waits, of a desk that one order is forbidden to. */
function openGuarded(): Promise<Parked> {
  const rules = [
    {
      tool_name: "refund_order",
      rule_content: "A-666",
      behavior: "deny",
      source: "test",
    },
  ];
  const [refund, ...others] = DESK.tools;
  const tools = [{ ...refund, rule_argument: "/order_id", rule_syntax: "exact" }, ...others];
  return openParked(REFUND, { ...DESK, tools, permission: { mode: "default", rules } });
}

async function askCallbacks(api: DocumentedApi): Promise<void> {
  const parked = await openGuarded();
  const { reply, pending, tenantId, call, path } = parked;
  const claims = {
    tenant_id: tenantId,
    session_id: reply.session_id,
    reply_id: reply.id,
    tool_call_ids: pending.map(({ tool_call }) => tool_call.id),
    kind: "permission" as const,
    message_id: "whm_1",
    exp: Date.now() + 600_000,
  };
  const plain = await signToken("callback", claims, env.KEY_PEPPER);
  const editing = { ...claims, may_edit: true as const };
  const place = { callback_token: await signToken("callback", editing, env.KEY_PEPPER) };
  const answer = confirmation(reply, pending);
  await api.ask("readCallback", place);
  await api.ask("readCallback", { callback_token: "cb_a.b" });
  await api.ask("answerCallback", { callback_token: "cb_a.b" }, { json: answer });
  for (const bad of BAD_BODIES) await api.ask("answerCallback", place, bad);
  const headers = { "Idempotency-Key": "a b" };
  await api.ask("answerCallback", place, { json: answer, headers });
  await api.ask("answerCallback", place, { json: answer });
  for (const json of refusedAnswers(parked)) {
    await api.ask("answerCallback", { callback_token: plain }, { json });
    await api.ask("answerCallback", place, { json });
  }
  const json = { ...answer, ...hashed(pending[0]!) };
  await api.ask("answerCallback", place, { json });
  const no = confirmation(reply, pending, { confirmed: false });
  await api.ask("answerCallback", place, { json: { ...no, ...hashed(pending[0]!) } });
  await api.ask("readCallback", { callback_token: "x".repeat(9_000) });
  await api.ask("answerCallback", { callback_token: "x".repeat(9_000) }, { json });
  await api.ask("deleteSession", { session_id: path.slice("/v1/sessions/".length) }, call);
}

async function askEndpoints(api: DocumentedApi): Promise<void> {
  const parked = await openGuarded();
  const { call, session, reply, pending, tenantId } = parked;
  const json = { name: "Label printer" };
  const made = await api.ask<CreatedInboundEndpoint>(
    "createInboundEndpoint",
    {},
    { ...call, json },
  );
  const place = { inbound_endpoint_id: made.json.id };
  await api.ask("readInboundEndpoint", place, call);
  await api.ask("listInboundEndpoints", { query: "?limit=1" }, call);
  await api.ask("rotateInboundSecret", place, { ...call, json: { overlap_ms: 60_000 } });

  const sign = async (body: string, id: string) => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const keys = parseWebhookSecret(made.json.secret) ?? [];
    return {
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": await signWebhook(keys, { id, timestamp, body }),
    };
  };
  let sent = 0;
  const receive = async (body: string, type: object = JSON_TYPE, id = `msg_${(sent += 1)}`) => {
    const headers = { ...type, ...(await sign(body, id)) };
    await api.ask("receiveWebhook", place, { headers, body });
  };
  const messages = refusedAnswers(parked).map((event) => ({ session_id: session.id, event }));
  const message = { session_id: session.id, event: confirmation(reply, pending) };
  await api.ask("receiveWebhook", place, { json: message });
  for (const { body, headers } of BAD_BODIES) await receive(body, headers);
  for (const refused of messages) await receive(JSON.stringify(refused));
  await receive(JSON.stringify({ ...message, session_id: `ses_${ZEROS}` }));
  const text = JSON.stringify(message);
  await receive(text, JSON_TYPE, "msg_taken");
  await receive(text, JSON_TYPE, "msg_taken");
  const no = confirmation(reply, pending, { confirmed: false });
  await receive(JSON.stringify({ ...message, event: no }));

  await api.ask("deleteInboundEndpoint", place, call);
  await env.DB.batch(
    Array.from({ length: DEFAULT_INBOUND_ENDPOINTS }, (_, index) =>
      env.DB.prepare(
        "INSERT INTO inbound_endpoints (id, tenant_id, name, sealed, created_at) VALUES (?, ?, 'n', 's', 't')",
      ).bind(`whi_${tenantId}_${index}`, tenantId),
    ),
  );
  await api.ask("createInboundEndpoint", {}, { ...call, json });
}
