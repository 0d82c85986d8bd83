// Promises of the document about a conversation as a whole, asked of the platform.
import type { CodeHook } from "../../../tools/hooks/code-hook.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { SessionPlan } from "../../../protocol/plans/contract.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, makeSession, openSession, type Call } from "./api.ts";
import type { DocumentedApi, Place } from "./documented-api.ts";
import { changeTenant } from "./tenant-use.ts";
import { failingSummary, SUMMARISED } from "./summarised-agent.ts";
import { FAILING_TOOL_URL } from "./failing-tool-url.ts";

const NOTE = { id: "note-1", name: "shop", content: "The parcel came back today." };
/** Input by which a reply goes on until it is interrupted, however long the requests before that take. */
const ENDLESS = "/rate 20\n/words 20000";

export async function askConversation(api: DocumentedApi): Promise<void> {
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
  const scopes = ["sessions:read", "sessions:write"];
  const narrow = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
  await api.ask("forkSession", place, { key: narrow.json.api_key, json: {} });

  await askSharedState(api, place, call);
  await askHooks(api, other, call);
  await askPlan(api, place, call);
  await askToolGroups(api);
  await askContext(api);
  await ask("DELETE", `/v1/agents/${agent.id}`, call);
  await api.ask("forkSession", place, { ...call, json: {} });
  await askWhileBusy(api);
}

async function askSharedState(api: DocumentedApi, place: Place, call: Call): Promise<void> {
  const add = (value: unknown) => [{ op: "add", path: "/order_id", value }];
  await api.ask("patchSharedState", place, { ...call, json: add("A-1001") });
  await api.ask("readSharedState", place, call);
  const test = [{ op: "test", path: "/order_id", value: "A-1002" }];
  await api.ask("patchSharedState", place, { ...call, json: test });
  const whole = [{ op: "replace", path: "", value: "A-1001" }];
  await api.ask("patchSharedState", place, { ...call, json: whole });
  const headers = { "If-Match": '"9"' };
  await api.ask("patchSharedState", place, { ...call, headers, json: add("A-1002") });
}

async function askHooks(api: DocumentedApi, place: Place, call: Call): Promise<void> {
  const put = (hooks: readonly object[], headers = {}) =>
    api.ask("writeHooks", place, { ...call, headers, json: { hooks } });
  const observe = (content: string) =>
    api.ask("observe", place, { ...call, json: { messages: { content } } });
  await put([{ type: "code", name: REFUSING_HOOK.name, point: "pre_observe" }]);
  await observe("spam");
  await put([{ type: "http", name: "gone", point: "pre_observe", url: FAILING_TOOL_URL }]);
  await observe("news");
  await put([], { "If-Match": '"9"' });
  await api.ask("readHooks", place, call);
  await put([]);
}

/** To be deployed by the test. */
export const REFUSING_HOOK: CodeHook = {
  name: "refusing",
  pre_observe: () => ({ action: "block", reason: "No spam." }),
  pre_model_call: () => ({ action: "block", reason: "No spam." }),
};

async function askPlan(api: DocumentedApi, place: Place, call: Call): Promise<void> {
  const plan = { name: "Research", subtasks: [{ name: "Find surveys" }] };
  await api.ask("writePlan", place, { ...call, json: { plan } });
  const { session, call: own } = await openSession({ name: "Planner", plan: {} });
  const planned = { session_id: session.id };
  const guarded = { name: "Write", acceptance: { kind: "person", criteria: "It is true." } };
  const json = { plan: { ...plan, subtasks: [guarded] } };
  await api.ask("writePlan", planned, { ...own, json });
  const { json: read } = await api.ask<SessionPlan>("readPlan", planned, own);
  await api.ask("writePlan", planned, { ...own, json: { plan: { ...plan, id: "plan_9" } } });
  const headers = { "If-Match": '"9"' };
  await api.ask("writePlan", planned, { ...own, headers, json: { plan: null } });
  const done = read.plan?.subtasks.map((subtask) => ({ ...subtask, state: "done" }));
  const accepted = { plan: { ...read.plan, subtasks: done } };
  const scopes = ["sessions:read", "replies:write"];
  const narrow = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...own, json: { scopes } });
  await api.ask("writePlan", planned, { key: narrow.json.api_key, json: accepted });
}

async function askToolGroups(api: DocumentedApi): Promise<void> {
  const { session, call } = await openSession({
    name: "Desk",
    tools: [{ type: "external", name: "open_page" }],
    tool_groups: [{ name: "browser", description: "Pages.", tools: ["open_page"] }],
  });
  const place = { session_id: session.id };
  const json = { groups: [{ name: "browser", switched: "on" }] };
  await api.ask("writeToolGroups", place, { ...call, json });
  await api.ask("readToolGroups", place, call);
  const headers = { "If-Match": '"9"' };
  await api.ask("writeToolGroups", place, { ...call, headers, json });
  const scopes = ["sessions:read", "replies:write"];
  const narrow = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
  await api.ask("writeToolGroups", place, { key: narrow.json.api_key, json: {} });
  const own = { tools: [{ type: "external", name: "note_down" }] };
  await api.ask("updateSession", place, { ...call, json: own });
}

async function askContext(api: DocumentedApi): Promise<void> {
  const { call, session } = await openSession({ name: "Desk", ...SUMMARISED });
  const place = { session_id: session.id };
  await api.ask("compress", place, { ...call, json: {} });
  await api.ask("observe", place, { ...call, json: { messages: NOTE } });
  await api.ask("compress", place, { ...call, json: { instructions: "Keep the order." } });
  await api.ask("readContext", place, call);
  const failing = await openSession({ name: "Desk", ...failingSummary("authentication") });
  const path = { session_id: failing.session.id };
  await api.ask("observe", path, { ...failing.call, json: { messages: NOTE } });
  await api.ask("compress", path, { ...failing.call, json: {} });
  await api.ask("readContext", path, failing.call);
  const { session: hooked, call: own, path: hookedPath } = await openSession({ name: "Desk" });
  const guarded = { session_id: hooked.id };
  await ask("POST", `${hookedPath}/observe`, { ...own, json: { messages: NOTE } });
  for (const hook of [
    { type: "code", name: REFUSING_HOOK.name, point: "pre_model_call" },
    { type: "http", name: "gone", point: "pre_model_call", url: FAILING_TOOL_URL },
  ]) {
    await ask("PUT", `${hookedPath}/hooks`, { ...own, json: { hooks: [hook] } });
    await api.ask("compress", guarded, { ...own, json: {} });
  }
  await changeTenant(failing.tenantId, { quotas: { tokens_per_day: 0 } });
  await api.ask("compress", path, { ...failing.call, json: {} });
}

async function askWhileBusy(api: DocumentedApi): Promise<void> {
  const running = await openSession({ name: "Slow" });
  const tools = [{ type: "http", name: "lookup_order", url: FAILING_TOOL_URL }];
  const waiting = await openSession({ name: "Refund desk", tools });
  for (const { call, path, session } of [running, waiting]) {
    const place = { session_id: session.id };
    const background = session === running.session;
    const json = { input: background ? ENDLESS : "Where is A-1001?", background };
    const reply = await ask<Reply>("POST", `${path}/replies`, { ...call, json });
    await api.ask("observe", place, { ...call, json: { messages: "Hi" } });
    await api.ask("forkSession", place, { ...call, json: { at: reply.json.id } });
    await api.ask("writeState", place, { ...call, json: {} });
    await api.ask("readContext", place, call);
    await api.ask("compress", place, { ...call, json: {} });
    await api.ask("compress", place, { ...call, json: { on_busy: "queue" } });
    await api.ask<Session>("updateSession", place, {
      ...call,
      json: { permission: { mode: "bypass" } },
    });
    await ask("POST", `${path}/interrupt`, call);
  }
}
