// The events of a session: read, sent by clients, and tickets for their streams.
import type { ClientToken } from "../../../protocol/client-tokens/contract.ts";
import { MAX_TOKEN_TTL_SECONDS } from "../../../protocol/keys/limits.ts";
import type { PendingCall } from "../../../protocol/replies/contract.ts";
import { ask, openSession } from "../../worker/support/api.ts";
import { mintCall } from "../../worker/support/client-token.ts";
import { countEvents } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import {
  confirmation,
  externalResults,
  LABEL,
  openParked,
  provenConfirmation,
  REFUND,
} from "../../worker/support/parked-session.ts";
import { openTold } from "../../worker/support/told-session.ts";
import type { ConceptRows } from "../row.ts";
import { ENDED } from "../store-changes.ts";

const STREAM = { Accept: "text/event-stream" };
const RULE = { tool_name: "refund_order", rule_content: null, behavior: "allow" };

function confirmationOf(reply_id: string, id: string) {
  return {
    type: "USER_CONFIRM_RESULT",
    reply_id,
    confirm_results: [{ confirmed: true, tool_call: { id } }],
  };
}

export const ROWS = {
  readEvents: {
    answers: 200,
    places: [
      {
        where: "query reply_id",
        id: ({ ids }) => ids.reply_id,
        query: (id) => `reply_id=${id}`,
        refused: 404,
      },
    ],
    shows: ["agent", "plan", "said", "state"],
  },
  postEvent: {
    answers: 202,
    isSilent: true,
    body: ({ ids }) => ({ type: "USER_INTERRUPT", reply_id: ids.reply_id }),
    places: [
      {
        where: "body reply_id",
        id: ({ ids }) => ids.reply_id,
        body: (reply_id) => confirmationOf(reply_id, "call_1"),
        refused: 409,
      },
      {
        where: "body tool_call.id",
        id: ({ waiting_call_id }) => waiting_call_id,
        body: (id) => confirmationOf("rep_1", id),
        refused: 409,
      },
    ],
    shows: [],
    hides: ["said"],
    stores: [
      "-pending_calls",
      "+reply_hours",
      "+session.events",
      "~session.messages",
      "~session.replies",
      "~session.tool_calls",
      "~session_states",
      "~usage",
    ],
    bounds: ENDED,
  },
  createStreamTicket: {
    answers: 201,
    isSilent: true,
    body: ({ ids }) => ({ path: `/v1/sessions/${ids.session_id}/events` }),
    places: [
      {
        where: "body path",
        id: ({ ids }) => ids.session_id,
        body: (session_id) => ({ path: `/v1/sessions/${session_id}/events` }),
        refused: 400,
      },
      {
        where: "body path, with an agent",
        id: ({ ids }) => ids.agent_id,
        body: (agent_id) => ({ path: `/v1/agents/${agent_id}/ag-ui?thread_id=t` }),
        refused: 400,
      },
    ],
    shows: [],
    stores: ["+session.client_tokens"],
    bounds: { "session.client_tokens": `those of ${MAX_TOKEN_TTL_SECONDS} s` },
  },
} satisfies ConceptRows;

export const KEYED = {
  async postEvent() {
    const { call, path, events, reply, pending } = await openParked();
    return {
      path: events,
      call,
      json: provenConfirmation(reply, pending),
      other: confirmation(reply, pending, { confirmed: false }),
      count: () => countEvents(path, call, "USER_CONFIRM_RESULT"),
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  await askForEvents(api);
  await askForTickets(api);
  await askForAnswers(api);
  await askForRefusals(api);
}

async function askForEvents(api: DocumentedApi): Promise<void> {
  const { call, place } = await openTold();
  await api.ask("readEvents", { ...place, query: "?limit=100" }, call);
  const events = await api.ask("readEvents", place, { ...call, headers: STREAM });
  const last = [...events.text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1];
  await api.ask("readEvents", { ...place, query: `?after=${last}` }, { ...call, headers: STREAM });
  await api.ask("readEvents", { ...place, query: "?format=agentscope-java" }, call);
  await api.ask("readEvents", { ...place, query: "?after=999999" }, call);
  await api.ask("readEvents", { ...place, query: "?after=ten" }, call);
}

async function askForTickets(api: DocumentedApi): Promise<void> {
  const { call, path, session } = await openSession();
  const place = { session_id: session.id };
  const page = { verbs: ["read"], allowed_origins: ["https://shop.example"] };
  const json = { path: `${path}/events` };
  await api.ask("createStreamTicket", place, { ...call, json });
  await api.ask("createStreamTicket", place, { ...(await mintCall(path, call, page)), json });
}

async function askForAnswers(api: DocumentedApi): Promise<void> {
  const parked = await openParked(`${REFUND}\n/say Now the label.\n${LABEL}`);
  const { reply, call, pending } = parked;
  const place = { session_id: parked.session.id };
  const edited = { ...pending[0]!.tool_call, input: '{"order_id":"A-1001"}' };
  const json = {
    ...confirmation(reply, []),
    confirm_results: [{ confirmed: true, tool_call: edited }],
  };
  await api.ask("postEvent", place, { ...call, json, headers: STREAM });
  await api.ask("postEvent", place, { ...call, json });
  await api.ask("postEvent", place, {
    ...call,
    json: confirmation(reply, pending, { confirmed: false }),
  });

  const interrupt = { type: "USER_INTERRUPT", reply_id: reply.id };
  await api.ask("postEvent", place, { ...call, json: interrupt });
  const idle = await ask<{ id: string }>("POST", "/v1/sessions", {
    ...call,
    json: { agent_id: parked.agent.id },
  });
  await api.ask(
    "postEvent",
    { session_id: idle.json.id },
    { ...call, json: interrupt, headers: STREAM },
  );
}

/** Every refusal of an answer, of one call that goes on waiting. */
async function askForRefusals(api: DocumentedApi): Promise<void> {
  const parked = await openParked();
  const { reply, call, pending, path } = parked;
  const place = { session_id: parked.session.id };
  const [{ tool_call, input_hash }] = pending as [PendingCall];
  const answer = (changes: object, rest: object = {}, metadata: object = {}) => ({
    ...confirmation(reply, []),
    metadata,
    confirm_results: [{ confirmed: true, tool_call: { ...tool_call, ...changes }, ...rest }],
  });
  const hash = (value: unknown) => ({ input_hashes: { [tool_call.id]: value } });
  const narrow = await ask<{ api_key: string }>("POST", "/v1/api-keys", {
    ...call,
    json: { scopes: ["confirmations:write"] },
  });
  const app = await ask<ClientToken>("POST", `${path}/tokens`, {
    ...call,
    json: { verbs: ["confirm"] },
  });
  const token = { key: app.json.token };
  const page = await ask<ClientToken>("POST", `${path}/tokens`, {
    ...call,
    json: { verbs: ["confirm"], allowed_origins: ["https://app.example"] },
  });

  const posts = [
    { ...call, json: externalResults(reply, pending) },
    { ...call, json: answer({ name: "print_label" }) },
    { ...call, json: answer({ input: '{"order_id":7}' }) },
    { ...call, json: answer({}, {}, hash(`sha256:${"0".repeat(64)}`)) },
    { key: narrow.json.api_key, json: answer({}, { rules: [{ ...RULE, rule_content: "A-2" }] }) },
    { ...token, json: answer({}) },
    { ...token, json: answer({}, { rules: [RULE] }, hash(input_hash)) },
    { ...token, json: answer({ input: '{"order_id":"A-2"}' }, {}, hash(input_hash)) },
    { ...token, json: { type: "USER_INTERRUPT", reply_id: reply.id } },
    { key: page.json.token, json: answer({}) },
  ];
  for (const post of posts) await api.ask("postEvent", place, post);
  const rules = [{ ...RULE, behavior: "deny" }];
  await api.ask("createPermissionRules", place, { ...call, json: { rules } });
  await api.ask("postEvent", place, { ...call, json: answer({}) });
}
