// Sessions: their settings, messages, forks and exports.
import { LOG_FORMAT, MESSAGE_FORMATS } from "../../../protocol/dialects/dialects.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import { ask, makeSession, openSession } from "../../worker/support/api.ts";
import { type BusySession, withBusySessions } from "../../worker/support/busy-sessions.ts";
import { countListed } from "../../worker/support/count-listed.ts";
import { keyWith } from "../../worker/support/credentials.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { openTold } from "../../worker/support/told-session.ts";
import { NEWEST, pageToken, TOOL } from "../places.ts";
import type { ConceptRows } from "../row.ts";
import { OF_A_SESSION } from "../store-changes.ts";

/** The forms of messages that are not native, as queries. */
const OTHER_FORMS = MESSAGE_FORMATS.filter((format) => format !== LOG_FORMAT).map(
  (format) => `?format=${format}`,
);

export const ROWS = {
  createSession: {
    answers: 201,
    body: ({ ids, word }) => ({ agent_id: ids.agent_id, metadata: { word } }),
    places: [
      {
        where: "body agent_id",
        id: ({ ids }) => ids.agent_id,
        body: (agent_id) => ({ agent_id }),
        refused: 404,
      },
      {
        where: "body tools.0.credential_id",
        id: ({ ids }) => ids.credential_id,
        // Credentials are checked before the agent is looked for.
        body: (credential_id) => ({ agent_id: "agt_none", tools: [{ ...TOOL, credential_id }] }),
        refused: 400,
      },
    ],
    shows: [],
    stores: ["+session.schema_version", "+session.session", "+sessions"],
    refusedBy: ["sessions", "database_bytes"],
  },
  listSessions: {
    answers: 200,
    places: [
      pageToken(`9999-12-31T23:59:59.999Z ses_${NEWEST}`),
      {
        where: "query agent_id",
        id: ({ ids }) => ids.agent_id,
        query: (id) => `agent_id=${id}`,
        refused: 200,
      },
      {
        where: "query end_user_id",
        id: ({ ids }) => ids.end_user_id,
        query: (id) => `end_user_id=${id}`,
        refused: 200,
      },
      {
        where: "query room_id",
        id: ({ ids }) => ids.room_id,
        query: (id) => `room_id=${id}`,
        refused: 200,
      },
      {
        where: "query search for words that only the owner's sessions have",
        id: ({ word }) => `${word}-said`,
        query: (words) => `search=${words}`,
        refused: 200,
      },
      {
        where: "query status of a session that only the owner has",
        id: () => "awaiting_permission",
        query: (status) => `status=${status}&created_after=2020-01-01T00:00:00.000Z`,
        refused: 200,
      },
    ],
    shows: ["session", "user"],
  },
  readSession: { answers: 200, shows: ["said", "session", "user"] },
  updateSession: {
    answers: 200,
    body: ({ word }) => ({ metadata: { word, changed: true } }),
    places: [
      {
        where: "body tools.0.credential_id",
        id: ({ ids }) => ids.credential_id,
        body: (credential_id) => ({ tools: [{ ...TOOL, credential_id }] }),
        refused: 400,
      },
    ],
    shows: ["user"],
    // The title may be the first words of the conversation.
    hides: ["said"],
    stores: ["~session.session", "~sessions"],
    refusedBy: ["database_bytes"],
  },
  deleteSession: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: [
      ...OF_A_SESSION,
      "+audit_entries",
      "~usage",
      "+webhook_attempts",
      "+webhook_deliveries",
    ],
  },
  listMessages: { answers: 200, shows: ["agent", "said"] },
  readMessage: { answers: 200, shows: ["said"] },
  observe: {
    answers: 201,
    body: ({ word }) => ({ messages: `By the way, ${word}` }),
    shows: [],
    stores: ["+session.events", "+session.messages"],
    refusedBy: ["stored_bytes"],
  },
  forkSession: {
    answers: 201,
    body: ({ word }) => ({ metadata: { word } }),
    places: [
      {
        where: "body at",
        id: ({ ids }) => ids.message_id,
        body: (at) => ({ at }),
        refused: 404,
      },
    ],
    besides: ["permission_rules:write"],
    shows: ["user"],
    hides: ["said"],
    stores: [
      "+audit_entries",
      "+session.ability_states",
      "+session.events",
      "+session.messages",
      "+session.permission_rules",
      "+session.schema_version",
      "+session.session",
      "+session_states",
      "+sessions",
    ],
    refusedBy: ["sessions", "stored_bytes", "database_bytes"],
  },
  readState: {
    answers: 200,
    besides: ["permission_rules:read"],
    shows: ["agent", "plan", "rule", "said", "state"],
  },
  // State that the session holds already may be brought in again.
  writeState: {
    answers: 200,
    body: ({ state }) => state,
    shows: [],
    stores: [],
    refusedBy: ["database_bytes"],
  },
  // At the beginning nothing was said: what is there leaves the conversation and stays stored.
  restoreSession: {
    answers: 200,
    body: () => ({ cursor: 0 }),
    isSilent: true,
    shows: [],
    stores: ["+session.events", "+session.restores"],
    refusedBy: ["stored_bytes"],
  },
} satisfies ConceptRows;

export const KEYED = {
  async createSession() {
    const { call, agent } = await openSession();
    return {
      path: "/v1/sessions",
      call,
      json: { agent_id: agent.id },
      other: { agent_id: agent.id, end_user_id: "kim" },
      count: async () => (await countListed("/v1/sessions", call)) - 1,
    };
  },

  async observe() {
    const { call, path } = await openSession();
    return {
      path: `${path}/observe`,
      call,
      json: { messages: "My order is A-1001." },
      other: { messages: "My order is A-1002." },
      count: () => countListed(`${path}/messages`, call),
    };
  },

  async forkSession() {
    const { call, path } = await openSession();
    return {
      path: `${path}/fork`,
      call,
      json: {},
      other: { end_user_id: "kim" },
      count: async () => (await countListed("/v1/sessions", call)) - 1,
    };
  },

  async restoreSession() {
    const { call, path } = await openSession();
    await ask("POST", `${path}/observe`, { ...call, json: { messages: NOTE } });
    return {
      path: `${path}/restore`,
      call,
      json: { cursor: 0 },
      other: { cursor: 1 },
      count: async () => {
        const { json } = await ask<{ data: { name?: string }[] }>("GET", `${path}/events`, call);
        return json.data.filter(({ name }) => name === "session_restored").length;
      },
    };
  },
} satisfies KeyedRequests;

const NOTE = { id: "note-1", name: "shop", content: "The parcel came back today." };

export async function askAll(api: DocumentedApi): Promise<void> {
  await askForMessages(api);
  await askForConversation(api);
  await withBusySessions((busy) => askWhileBusy(api, busy));
}

async function askForMessages(api: DocumentedApi): Promise<void> {
  const { call, agent, place: told, reply, input } = await openTold();
  const opened = { agent_id: agent.id, end_user_id: "customer-17", agent_version: "latest" };
  const session = await api.ask<Session>("createSession", {}, { ...call, json: opened });
  const place = { session_id: session.json.id };
  await api.ask("updateSession", place, { ...call, json: { metadata: { order: "A-1001" } } });
  await api.ask("readSession", told, call);
  await api.ask("listMessages", told, call);
  await api.ask("readMessage", { ...told, message_id: reply.id }, call);
  await api.ask("readMessage", { ...told, message_id: input.id }, call);
  for (const query of OTHER_FORMS) {
    await api.ask("listMessages", { ...told, query }, call);
    await api.ask("readMessage", { ...told, message_id: reply.id, query }, call);
    await api.ask("listReplies", { ...told, query }, call);
    await api.ask("readReply", { ...told, reply_id: reply.id, query }, call);
  }
  const query = "?format=ag-ui";
  await api.ask("readMessage", { ...told, message_id: reply.id, query }, call);
  await api.ask("readReply", { ...told, reply_id: reply.id, query }, call);
  await api.ask("listSessions", { query: "?limit=1" }, call);
  await api.ask("deleteSession", told, call);
}

async function askForConversation(api: DocumentedApi): Promise<void> {
  const { call, path, agent, session } = await openSession();
  const place = { session_id: session.id };
  await api.ask("observe", place, { ...call, json: { messages: NOTE } });
  await api.ask("observe", place, { ...call, json: { messages: { ...NOTE, content: "No." } } });
  await ask("POST", `${path}/replies`, { ...call, json: { input: "Thank you" } });
  const rules = [{ tool_name: "refund_order", rule_content: null, behavior: "ask" }];
  await ask("POST", `${path}/permission-rules`, { ...call, json: { rules } });
  const settings = { working_directories: ["/srv"], time_zone: "UTC", permission: { mode: null } };
  await api.ask("updateSession", place, { ...call, json: settings });
  await api.ask("forkSession", place, { ...call, json: { at: NOTE.id } });
  await api.ask("forkSession", place, { ...call, json: { at: 9_999 } });
  await api.ask("listSessions", { query: "?limit=1" }, call);

  const { json: state } = await api.ask<AgentState>("readState", place, call);
  const other = { session_id: (await makeSession(call, { agent_id: agent.id })).id };
  await api.ask("writeState", other, { ...call, json: state });
  await api.ask("writeState", other, { ...call, json: { context: state.context.slice(1) } });
  await api.ask("writeState", { ...place, query: "?replace=true" }, { ...call, json: state });
  const stale = { ...call, headers: { "If-Match": '"1"' } };
  await api.ask("restoreSession", place, { ...stale, json: { cursor: 1 } });
  await api.ask("writeState", { ...place, query: "?replace=true" }, { ...stale, json: state });
  await api.ask("restoreSession", place, { ...call, json: { cursor: 1 } });
  await api.ask("restoreSession", place, { ...call, json: { cursor: 9_999 } });
  const narrow = await keyWith(call, ["sessions:read", "sessions:write"]);
  await api.ask("forkSession", place, { ...narrow, json: {} });
  await ask("DELETE", `/v1/agents/${agent.id}`, call);
  await api.ask("forkSession", place, { ...call, json: {} });
}

async function askWhileBusy(
  api: DocumentedApi,
  { call, place, reply }: BusySession,
): Promise<void> {
  await api.ask("observe", place, { ...call, json: { messages: "Hi" } });
  await api.ask("forkSession", place, { ...call, json: { at: reply.id } });
  await api.ask("writeState", place, { ...call, json: {} });
  await api.ask("restoreSession", place, { ...call, json: { cursor: 1 } });
  const json = { permission: { mode: "bypass" } };
  await api.ask("updateSession", place, { ...call, json });
}
