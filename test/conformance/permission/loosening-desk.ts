// A tenant whose agents, plans and calls can be loosened, and requests that do it.
import { inject } from "vitest";

import type { Verb } from "../../../protocol/client-tokens/contract.ts";
import type { Scope } from "../../../protocol/keys/contract.ts";
import {
  createAgent,
  createTenant,
  request,
  type TestTenant,
} from "../../support/platform-client.ts";

/** A request that loosens something. */
export interface LooseningRequest {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  /** The session that a client token is for. */
  readonly sessionId: string;
}

export interface LooseningAct {
  readonly act: string;
  /** Makes what is loosened, and the request; called anew for each who tries. */
  readonly prepare: (desk: Desk) => Promise<LooseningRequest>;
  /** Sets of scopes each of which is enough; none for what no key may do. */
  readonly keys: readonly (readonly Scope[])[];
  /** Verbs that are enough for a client token; left out where no token may. */
  readonly token?: readonly Verb[];
  /** The operator may. */
  readonly operator?: true;
}

export interface Desk extends TestTenant {
  /** Its newest version denies and asks, has a hook, and the mode `default`; its first one had none of it. */
  readonly agentId: string;
  /** Its first version had the mode `accept_edits`. */
  readonly calmAgentId: string;
  /** A person has to allow its tool. */
  readonly askingAgentId: string;
}

/** The server is there, and knows no such address. */
const toolUrl = () => `${inject("toolsUrl")}/nothing`;
export const lookTool = (name = "look_up") => ({ type: "http", name, url: toolUrl() });
const ORDER = { type: "object", properties: { order_id: { type: "string" } } };
const rule = (behavior: string, tool_name: string, rule_content: string | null = null) => ({
  tool_name,
  rule_content,
  behavior,
  source: "agent",
});
const guard = () => ({ type: "http", name: "guard", point: "pre_acting", url: toolUrl() });
const GUARDED = { name: "write", acceptance: { kind: "person", criteria: "It is true." } };

export async function openDesk(): Promise<Desk> {
  const tenant = await createTenant();
  const { key } = tenant;
  const groups = [{ name: "orders", description: "Orders." }];
  const agentId = await createAgent(key, {
    tools: [lookTool()],
    plan: {},
    tool_groups: groups,
    meta_tool: true,
  });
  const rules = [
    rule("deny", "pay"),
    rule("ask", "reset_equipped_tools"),
    rule("ask", "look_up", "a"),
  ];
  await change(key, `/v1/agents/${agentId}`, { permission: { rules }, hooks: [guard()] });
  const calmAgentId = await createAgent(key, { permission: { mode: "accept_edits" } });
  await change(key, `/v1/agents/${calmAgentId}`, { permission: { mode: "default" } });
  const tool = { type: "http", name: "refund", url: `${inject("toolsUrl")}/lookup_order` };
  const askingAgentId = await createAgent(key, { tools: [{ ...tool, input_schema: ORDER }] });
  return { ...tenant, agentId, calmAgentId, askingAgentId };
}

async function change(key: string, path: string, body: unknown): Promise<void> {
  const { status } = await request("PATCH", path, { key, body });
  if (status !== 200) throw new Error(`PATCH ${path} answered ${status}`);
}

export async function make<Made = { id: string }>(
  key: string,
  path: string,
  body: unknown,
): Promise<Made> {
  const answer = await request<Made>("POST", path, { key, body });
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}`);
  return answer.body;
}

export async function open(
  { key, agentId }: Desk,
  agent_id = agentId,
  more: object = {},
): Promise<string> {
  return (await make(key, "/v1/sessions", { agent_id, ...more })).id;
}

/** A request about a new session, at `part` of its path. */
export function onSession(
  method: LooseningRequest["method"],
  part: string,
  body?: unknown,
  more: { agent?: (desk: Desk) => string; settings?: object } = {},
): LooseningAct["prepare"] {
  return async (desk) => {
    const sessionId = await open(desk, more.agent?.(desk), more.settings);
    return { method, path: `/v1/sessions/${sessionId}${part}`, body, sessionId };
  };
}

export function onAgent(body: unknown): LooseningAct["prepare"] {
  return async (desk) => {
    const sessionId = await open(desk);
    const guarded = { permission: { rules: [rule("deny", "pay")] }, hooks: [guard()] };
    const agentId = await createAgent(desk.key, guarded);
    return { method: "PATCH", path: `/v1/agents/${agentId}`, body, sessionId };
  };
}

/** A request about the tenant. */
export function onTenant(
  method: LooseningRequest["method"],
  path: string | ((desk: Desk) => string | Promise<string>),
  body: object | ((desk: Desk) => object),
): LooseningAct["prepare"] {
  return async (desk) => ({
    method,
    path: typeof path === "string" ? path : await path(desk),
    body: typeof body === "function" ? (body as (desk: Desk) => object)(desk) : body,
    sessionId: await open(desk),
  });
}

interface PlanBody {
  readonly plan: { readonly subtasks: readonly object[] } & object;
}

/** A plan with a step that a person has to accept, and what is written in its place. */
export function onPlan(
  change: (plan: PlanBody["plan"]) => unknown,
  isReplaced = false,
): LooseningAct["prepare"] {
  return async (desk) => {
    const sessionId = await open(desk);
    const path = `/v1/sessions/${sessionId}/plan`;
    const put = (plan: unknown) =>
      request<PlanBody>("PUT", path, { key: desk.key, body: { plan } });
    const { body } = await put({ name: "Research", subtasks: [GUARDED] });
    if (isReplaced) await put({ name: "Other", subtasks: [{ name: "find" }] });
    return { method: "PUT", path, body: { plan: change(body.plan) }, sessionId };
  };
}

/** A reply that waits for a person, and their answer. */
export function onCall(answer: object, input = '{"order_id":"A-1"}'): LooseningAct["prepare"] {
  return async (desk) => {
    const sessionId = await open(desk, desk.askingAgentId);
    const path = `/v1/sessions/${sessionId}`;
    const reply = await make<{
      id: string;
      pending: readonly { tool_call: { id: string }; input_hash: string }[];
    }>(desk.key, `${path}/replies`, { input: '/call refund {"order_id":"A-1"}' });
    const [call] = reply.pending;
    if (!call) throw new Error("nothing waits");
    const tool_call = { ...call.tool_call, input };
    const body = {
      type: "USER_CONFIRM_RESULT",
      reply_id: reply.id,
      confirm_results: [{ confirmed: true, tool_call, ...answer }],
      metadata: { input_hashes: { [call.tool_call.id]: call.input_hash } },
    };
    return { method: "POST", path: `${path}/events`, body, sessionId };
  };
}
