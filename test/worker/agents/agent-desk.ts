// A tenant whose agent has another one as a tool, and how its replies and the sessions below them are read.
import { expect } from "vitest";

import type { ToolResultBlock } from "../../../protocol/messages/blocks.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session, SessionPage, SessionSummary } from "../../../protocol/sessions/contract.ts";
import { ask, makeAgent, makeSession, makeTenant, type Call } from "../support/api.ts";

export const SCRIPTED = { provider: "scripted", name: "refund-desk" } as const;

/** An external tool, for which a reply waits. */
export const WAITING = { type: "external", name: "refund", read_only: true } as const;

export interface AgentDesk {
  readonly call: Call;
  readonly tenantId: string;
  readonly session: Session;
  readonly helperId: string;
  readonly agentId: string;
}

interface DeskSettings {
  /** The agent that is called. */
  readonly helper?: object;
  /** The tool that it is. */
  readonly tool?: object;
  /** The agent that calls. */
  readonly desk?: { readonly tools?: readonly object[]; readonly [member: string]: unknown };
  readonly session?: object;
}

export function agentTool(agent_id: string, more: object = {}): object {
  return { type: "agent", name: "helper", agent_id, read_only: true, ...more };
}

export async function openAgentDesk(settings: DeskSettings = {}): Promise<AgentDesk> {
  const {
    helper = {},
    tool = {},
    desk: { tools = [], ...desk } = {},
    session: more = {},
  } = settings;
  const { id: tenantId, call } = await makeTenant();
  const { id: helperId } = await makeAgent(call, { name: "Helper", model: SCRIPTED, ...helper });
  const all = [agentTool(helperId, tool), ...tools];
  const agent = await makeAgent(call, { name: "Desk", model: SCRIPTED, tools: all, ...desk });
  const session = await makeSession(call, { agent_id: agent.id, end_user_id: "ada", ...more });
  return { call, tenantId, session, helperId, agentId: agent.id };
}

/** A line of a script that calls the agent with another script. */
export function callHelper(message: string, name = "helper"): string {
  return `/call ${name} ${JSON.stringify({ message })}`;
}

/** @returns The id of a reply that runs on its own. */
export async function begin(
  { call, session }: Pick<AgentDesk, "call" | "session">,
  input: string,
): Promise<string> {
  const path = `/v1/sessions/${session.id}/replies`;
  const { json } = await ask<Reply>("POST", path, { ...call, json: { input, background: true } });
  return json.id;
}

export async function readReply(call: Call, sessionId: string, id: string): Promise<Reply> {
  return (await ask<Reply>("GET", `/v1/sessions/${sessionId}/replies/${id}`, call)).json;
}

/** Once it has ended. */
export async function endOf({ call, session }: AgentDesk, id: string): Promise<Reply> {
  await expect.poll(async () => (await readReply(call, session.id, id)).status).not.toBe("running");
  return readReply(call, session.id, id);
}

export async function run(desk: AgentDesk, input: string): Promise<Reply> {
  return endOf(desk, await begin(desk, input));
}

/** The sessions that replies of this one have called, oldest first. */
export async function calledBy(call: Call, id: string): Promise<readonly SessionSummary[]> {
  const path = `/v1/sessions?parent_session_id=${id}&limit=100`;
  return (await ask<SessionPage>("GET", path, call)).json.data.toReversed();
}

/** The one session that a reply of the desk has called, once it is there. */
export async function childOf({
  call,
  session,
}: Pick<AgentDesk, "call"> & { readonly session: Pick<Session, "id"> }): Promise<SessionSummary> {
  await expect.poll(() => calledBy(call, session.id)).toHaveLength(1);
  const [child] = await calledBy(call, session.id);
  return child!;
}

export async function lastReplyOf(call: Call, sessionId: string): Promise<Reply> {
  const { json } = await ask<Page<Reply>>("GET", `/v1/sessions/${sessionId}/replies`, call);
  return json.data[0]!;
}

export async function readSession(call: Call, id: string): Promise<Session> {
  return (await ask<Session>("GET", `/v1/sessions/${id}`, call)).json;
}

/** Once the session waits for a person or for a result. */
export async function waits(call: Call, id: string): Promise<Session> {
  await expect.poll(async () => (await readSession(call, id)).pending).not.toHaveLength(0);
  return readSession(call, id);
}

export function resultsIn({ message }: Reply): readonly ToolResultBlock[] {
  return (message?.content ?? []).flatMap((block) => (block.type === "tool_result" ? [block] : []));
}

function textOf({ output }: ToolResultBlock): string {
  if (typeof output === "string") return output;
  return output.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** State and text of each result. */
export function resultTexts(reply: Reply): readonly (readonly [string, string])[] {
  return resultsIn(reply).map((result) => [result.state, textOf(result)] as const);
}

/** Posts the result of a call that waits. */
export async function giveResult(call: Call, session: Session, output = "Paid.") {
  const [pending] = session.pending;
  const reply_id = session.reply_id;
  const { id, name } = pending!.tool_call;
  const result = { type: "tool_result", id, name, output, state: "success" };
  const json = { type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results: [result] };
  return ask("POST", `/v1/sessions/${session.id}/events`, { ...call, json });
}
