// Clients of A2A: tasks, their push notification configs, and cards.
import { BODY_BYTES } from "../../../protocol/routes.ts";
import { ask, type Call, makeAgent, makeTenant } from "../../worker/support/api.ts";
import { ENDLESS } from "../../worker/support/busy-sessions.ts";
import { openPushedCall } from "../../worker/support/pushed-call.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import { A2A_QUERY, messageRequest } from "../add-a2a-task.ts";
import type { ConceptRows, Row } from "../row.ts";
import type { World } from "../world.ts";

const query = () => A2A_QUERY;

/** Changes by a message that begins a task in a context. */
const BEGUN = {
  stores: [
    "+a2a_tasks",
    "~reply_hours",
    "+session.events",
    "+session.idempotency_keys",
    "+session.messages",
    "+session.replies",
    "~session.session",
    "+session_states",
    "~tenant.days",
    "+tenant.replies",
    "+usage",
    "~usage_days",
  ],
  refusedBy: ["a2a_tasks", "running_replies", "tokens_per_day", "stored_bytes", "database_bytes"],
  bounds: { "session.idempotency_keys": "those of a day" },
} as const;

const say = ({ ids, word }: World) => messageRequest(`Again ${word}`, ids.session_id);

/** A context in a message: of others as one that never was. */
function contextIn(refused: number, wrap: (request: object) => object): NonNullable<Row["places"]> {
  return [
    {
      where: "body contextId",
      id: ({ ids }) => ids.session_id,
      body: (contextId) => wrap(messageRequest("Whose is this?", contextId)),
      refused,
      // The name of a context of the caller's own.
      unlike: [200],
    },
  ];
}

const rpc = (method: string) => (params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

export const ROWS = {
  /** An error of JSON-RPC has the status 200. */
  callA2a: {
    answers: 200,
    isSilent: true,
    query,
    body: (world) => rpc("SendMessage")(say(world)),
    places: contextIn(200, rpc("SendMessage")),
    shows: [],
    ...BEGUN,
  },
  sendA2aMessage: {
    answers: 200,
    isSilent: true,
    query,
    body: say,
    places: contextIn(400, (request) => request),
    shows: [],
    ...BEGUN,
  },
  streamA2aMessage: {
    answers: 200,
    isSilent: true,
    query,
    body: say,
    places: contextIn(400, (request) => request),
    besides: ["sessions:read"],
    shows: [],
    ...BEGUN,
  },
  /** Over contexts: test/conformance/a2a/. */
  listA2aTasks: {
    answers: 200,
    query: ({ word }) => `${A2A_QUERY}&contextId=context-${word}`,
    places: [
      {
        where: "query contextId",
        id: ({ word }) => `context-${word}`,
        query: (contextId) => `${A2A_QUERY}&contextId=${contextId}`,
        refused: 200,
      },
    ],
    shows: ["said"],
  },
  readA2aTask: { answers: 200, query, shows: ["said"] },
  /** The task has ended. */
  cancelA2aTask: { answers: 400, isSilent: true, query, shows: [], stores: [] },
  subscribeA2aTask: { answers: 400, isSilent: true, query, shows: [], stores: [] },
  followA2aTask: { answers: 400, isSilent: true, query, shows: [] },
  createA2aPushConfig: {
    answers: 200,
    query,
    body: ({ word }) => ({ id: `other-${word}`, url: `https://${word}.example/` }),
    besides: ["sessions:read"],
    shows: [],
    stores: ["+session.a2a_push_configs"],
    bounds: { "session.a2a_push_configs": "ten of a task" },
  },
  listA2aPushConfigs: { answers: 200, query, shows: ["hook"] },
  readA2aPushConfig: { answers: 200, query, shows: ["hook"] },
  deleteA2aPushConfig: {
    answers: 204,
    isSilent: true,
    query,
    shows: [],
    stores: ["-session.a2a_push_configs"],
  },
  readA2aExtendedCard: { answers: 200, query, shows: ["agent"] },
  readA2aCard: { answers: 200, shows: ["agent"] },
  findA2aCard: { answers: 200, shows: ["agent"] },
  /** Without its secret an address is unknown. */
  receiveRemotePush: { answers: 404, isSilent: true, shows: [], stores: [] },
  /** Public: those of the deployment. */
  readA2aKeys: { answers: 200, isSilent: true, shows: [] },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  const model = { provider: "scripted", name: "refund-desk" };
  const agent = await makeAgent(call, { name: "Desk", model, a2a: { enabled: true } });
  const at = { agent_id: agent.id, query: `?${A2A_QUERY}` };
  const { json } = await ask<{ task: { id: string } }>(
    "POST",
    `/v1/agents/${agent.id}/a2a/message:send?${A2A_QUERY}`,
    { ...call, json: messageRequest("Hello") },
  );
  const task = { ...at, a2a_task_id: json.task.id };
  const unknown = { ...at, a2a_task_id: `rep_${"0".repeat(26)}` };
  await api.ask("callA2a", at, { ...call, json: rpc("SendMessage")(messageRequest("Hello")) });
  await api.ask("callA2a", at, { ...call, json: rpc("NoMethod")({}) });
  for (const name of ["callA2a", "sendA2aMessage", "streamA2aMessage"] as const) {
    await api.ask(name, at, { ...call, body: "{}", headers: { "Content-Type": "text/plain" } });
    await api.ask(name, at, { ...call, json: "x".repeat(BODY_BYTES.media) });
  }
  await askWhileBusy(api, call, at);
  for (const name of ["sendA2aMessage", "streamA2aMessage"] as const) {
    await api.ask(name, at, { ...call, json: messageRequest("Hello") });
    await api.ask(name, at, { ...call, json: { message: {} } });
    const gone = { ...messageRequest("Hello").message, taskId: unknown.a2a_task_id };
    await api.ask(name, at, { ...call, json: { message: gone } });
  }
  await api.ask("listA2aTasks", at, call);
  await api.ask("listA2aTasks", { ...at, query: `?${A2A_QUERY}&pageSize=0` }, call);
  await api.ask("readA2aTask", task, call);
  await api.ask("readA2aTask", { ...task, query: "" }, call);
  for (const name of [
    "readA2aTask",
    "cancelA2aTask",
    "subscribeA2aTask",
    "followA2aTask",
    "listA2aPushConfigs",
  ] as const) {
    await api.ask(name, unknown, call);
  }
  for (const name of ["cancelA2aTask", "subscribeA2aTask", "followA2aTask"] as const) {
    await api.ask(name, task, call);
  }
  const config = { id: "one", url: "https://shop.example/told" };
  await api.ask("createA2aPushConfig", task, { ...call, json: config });
  await api.ask("createA2aPushConfig", task, { ...call, json: { url: "" } });
  await api.ask("createA2aPushConfig", unknown, { ...call, json: config });
  const text = { body: "{}", headers: { "Content-Type": "text/plain" } };
  await api.ask("createA2aPushConfig", task, { ...call, ...text });
  await api.ask("createA2aPushConfig", task, { ...call, json: "x".repeat(BODY_BYTES.json) });
  await api.ask("listA2aPushConfigs", task, call);
  await api.ask("listA2aPushConfigs", { ...task, query: "" }, call);
  const named = { ...task, a2a_config_id: "one" };
  await api.ask("readA2aPushConfig", named, call);
  await api.ask("readA2aPushConfig", { ...named, a2a_config_id: "two" }, call);
  await api.ask("readA2aPushConfig", { ...named, query: "" }, call);
  await api.ask("deleteA2aPushConfig", { ...named, query: "" }, call);
  await api.ask("deleteA2aPushConfig", named, call);
  await api.ask("deleteA2aPushConfig", { ...unknown, a2a_config_id: "one" }, call);
  await api.ask("readA2aExtendedCard", at, call);
  await api.ask("readA2aExtendedCard", { ...at, query: "" }, call);
  for (const name of ["readA2aCard", "findA2aCard"] as const) {
    const answer = await api.ask(name, { agent_id: agent.id }, call);
    const headers = { "If-None-Match": answer.headers.get("ETag") ?? "" };
    await api.ask(name, { agent_id: agent.id }, { ...call, headers });
    await api.ask(name, { agent_id: agent.id });
  }
  await api.ask("readA2aKeys", {});
  await api.ask("receiveRemotePush", { remote_push_token: "rp_made.up" });
  const { remote_push_token, headers } = await openPushedCall();
  await api.ask("receiveRemotePush", { remote_push_token }, { headers });
}

/** A task that is cancelled, and streams of what it was. */
async function askWhileBusy(
  api: DocumentedApi,
  call: Call,
  at: { readonly agent_id: string; readonly query: string },
): Promise<void> {
  const configuration = { returnImmediately: true };
  const { json } = await ask<{ task: { id: string } }>(
    "POST",
    `/v1/agents/${at.agent_id}/a2a/message:send?${A2A_QUERY}`,
    { ...call, json: { ...messageRequest(ENDLESS), configuration } },
  );
  const task = { ...at, a2a_task_id: json.task.id };
  await api.ask("cancelA2aTask", task, call);
  // Its client may have a part of it.
  const headers = { "Last-Event-ID": "1" };
  for (const name of ["subscribeA2aTask", "followA2aTask"] as const) {
    await api.ask(name, task, { ...call, headers });
  }
}
