import { SUBAGENT_CALL, type SubagentCallValue } from "../../protocol/agents/events.ts";
import type { EventDraft } from "../../protocol/events.ts";

type Called = Pick<SubagentCallValue, "session_id" | "agent_id">;

/** Lets the call wait for the agent. */
export function awaitSubagent(
  reply_id: string,
  tool_call_id: string,
  { session_id, agent_id }: Called,
): readonly EventDraft[] {
  return [subagentEvent({ reply_id, tool_call_id, session_id, agent_id, waits: true, tokens: 0 })];
}

/** Resumes the call that waits for it. @param tokens That the agent has used, and those that it has called. */
export function releaseSubagent(
  reply_id: string,
  tool_call_id: string,
  { session_id, agent_id, tokens }: Called & Pick<SubagentCallValue, "tokens">,
): readonly EventDraft[] {
  return [subagentEvent({ reply_id, tool_call_id, session_id, agent_id, waits: false, tokens })];
}

function subagentEvent(value: SubagentCallValue): EventDraft {
  const { reply_id } = value;
  return { type: "CUSTOM", name: SUBAGENT_CALL, reply_id, value: { ...value } };
}
