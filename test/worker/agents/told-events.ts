// Events of called agents in a caller's log, as tests read them, and answers that go down from there.
import { expect } from "vitest";

import {
  SUBAGENT_EVENT,
  SUBAGENT_REQUIRE_USER_CONFIRM,
  SUBAGENT_USER_CONFIRM_RESULT,
  subagentEventOf,
  type SubagentEventValue,
  type SubagentRequireUserConfirmValue,
  type SubagentUserConfirmResultValue,
} from "../../../protocol/agents/events.ts";
import type { EventReceipt } from "../../../protocol/events/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { SubagentPendingCall } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Session, SessionSummary } from "../../../protocol/sessions/contract.ts";
import { ask, makeAgent, makeSession, type Call } from "../support/api.ts";
import {
  agentTool,
  begin,
  callHelper,
  childOf,
  openAgentDesk,
  readReply,
  SCRIPTED,
  waits,
  type AgentDesk,
} from "./agent-desk.ts";

export async function eventsOf(call: Call, sessionId: string): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let after = 0; ;) {
    const path = `/v1/sessions/${sessionId}/events?limit=100&after=${after}`;
    const { data } = (await ask<Page<LoggedEvent>>("GET", path, call)).json;
    if (data.length === 0) return events;
    events.push(...data);
    after = data.at(-1)!.seq;
  }
}

/** The values of `CUSTOM` events of a name, in the order of the log. */
function valuesOf(events: readonly LoggedEvent[], name: string) {
  return events.flatMap((event) =>
    event.type === "CUSTOM" && event.name === name ? [event.value] : [],
  );
}

export function toldIn(events: readonly LoggedEvent[]): readonly SubagentEventValue[] {
  return valuesOf(events, SUBAGENT_EVENT).flatMap((value) => subagentEventOf(value) ?? []);
}

/** The events of one called session that a log has, whatever batches they came in. */
export function toldOf(events: readonly LoggedEvent[], sessionId: string): readonly LoggedEvent[] {
  const batches = toldIn(events).filter(({ session_id }) => session_id === sessionId);
  return batches.flatMap((batch) => batch.events);
}

/** The same events, whatever deltas were merged. */
export function merged(events: readonly LoggedEvent[]): readonly unknown[] {
  return events.reduce<unknown[]>((all, event) => {
    const last = all.at(-1);
    if (!("delta" in event)) return [...all, event.id];
    return typeof last === "object"
      ? [...all.slice(0, -1), { text: (last as { text: string }).text + event.delta }]
      : [...all, { text: event.delta }];
  }, []);
}

export function questionsIn(
  events: readonly LoggedEvent[],
): readonly SubagentRequireUserConfirmValue[] {
  const values = valuesOf(events, SUBAGENT_REQUIRE_USER_CONFIRM);
  return values as unknown as readonly SubagentRequireUserConfirmValue[];
}

export function endsIn(events: readonly LoggedEvent[]): readonly SubagentUserConfirmResultValue[] {
  const values = valuesOf(events, SUBAGENT_USER_CONFIRM_RESULT);
  return values as unknown as readonly SubagentUserConfirmResultValue[];
}

/** A tool whose calls ask a person. */
const PAY = { type: "external", name: "pay" } as const;

export interface AskingTree extends AgentDesk {
  /** The reply at the top. */
  readonly id: string;
  readonly middle: SessionSummary;
  /** Its call waits for a confirmation. */
  readonly below: Session;
}

/** A reply that has called an agent that has called one, which asks a person. */
export async function openAskingTree(): Promise<AskingTree> {
  const desk = await openAgentDesk({ helper: { tools: [PAY] } });
  const { call } = desk;
  const tools = [agentTool(desk.helperId)];
  const middleAgent = await makeAgent(call, { name: "Middle", model: SCRIPTED, tools });
  const top = [agentTool(middleAgent.id, { name: "middle" })];
  const agent = await makeAgent(call, { name: "Top", model: SCRIPTED, tools: top });
  const session = await makeSession(call, { agent_id: agent.id, end_user_id: "ada" });
  const opened = { ...desk, session };
  const pay = callHelper('/call pay {"eur": 5}\n/say Paid.');
  const script = callHelper(`${pay}\n/say Passed on.`, "middle");
  const id = await begin(opened, `${script}\n/say Thanks.`);
  const middle = await childOf(opened);
  const { id: belowId } = await childOf({ ...opened, session: middle });
  return { ...opened, id, middle, below: await waits(call, belowId) };
}

/** Calls that wait under a reply, once there is something. */
export async function pendingBelow(
  call: Call,
  sessionId: string,
  replyId: string,
): Promise<readonly SubagentPendingCall[]> {
  const pending = async () =>
    (await readReply(call, sessionId, replyId)).subagents?.flatMap((one) => one.pending ?? []) ??
    [];
  await expect.poll(pending).not.toHaveLength(0);
  return pending();
}

/** Posts the answer to a call of a called agent to a session above it. */
export function confirm(
  call: Call,
  sessionId: string,
  {
    reply_id,
    tool_call,
    input_hash,
  }: Pick<SubagentPendingCall, "reply_id" | "tool_call" | "input_hash">,
  { confirmed = true, ...more }: { readonly confirmed?: boolean; readonly reason?: string } = {},
) {
  const json = {
    type: "USER_CONFIRM_RESULT",
    reply_id,
    confirm_results: [{ confirmed, tool_call, ...more }],
    ...(input_hash && { metadata: { input_hashes: { [tool_call.id]: input_hash } } }),
  };
  return ask<EventReceipt & { code?: string; detail?: string }>(
    "POST",
    `/v1/sessions/${sessionId}/events`,
    { ...call, json },
  );
}

/** Posts the result of a call of a called agent to a session above it. */
export function giveResultBelow(
  call: Call,
  sessionId: string,
  { reply_id, tool_call: { id, name } }: Pick<SubagentPendingCall, "reply_id" | "tool_call">,
  query = "",
) {
  const result = { type: "tool_result", id, name, output: "Done.", state: "success" };
  const json = { type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results: [result] };
  return ask<EventReceipt>("POST", `/v1/sessions/${sessionId}/events${query}`, { ...call, json });
}
