// The bounds of a call of an agent that are known before it begins. Pure.
import type { AgentTool } from "../../protocol/tools/agent-tool.ts";
import { MAX_AGENT_CALLS } from "../../protocol/tools/limits.ts";
import { MAX_REPLY_TOKENS } from "../../protocol/replies/limits.ts";
import { usedBySubagents } from "../state/budget.ts";
import { turnBlocks, type ReplyState } from "../state/reply-state.ts";
import { depthOf, pathBelow, type CallingSession } from "./inherited-bounds.ts";

/** The words with which a call is refused; null for one that may begin. @param calls Of agents, in this reply so far. */
export function refuseAgentCall(
  caller: CallingSession,
  tool: Pick<AgentTool, "name" | "agent_id" | "max_depth" | "allow_recursion">,
  { calls, max_tokens }: { readonly calls: number; readonly max_tokens: number },
): string | null {
  const path = pathBelow(caller);
  if (path.includes(tool.agent_id) && tool.allow_recursion !== true) {
    return `agent_cycle: the agent of ${tool.name} is at work already, further up. Do this task yourself.`;
  }
  const depth = depthOf(caller, tool);
  if (path.length > depth) {
    return `agent_depth: there may be ${depth} levels of agents below the first one. Do this task yourself.`;
  }
  if (calls >= MAX_AGENT_CALLS) {
    return `agent_calls: a reply calls agents ${MAX_AGENT_CALLS} times at most. Do the rest yourself.`;
  }
  return max_tokens > 0
    ? null
    : "agent_budget: this reply has no tokens left that an agent could use.";
}

/**
 * The tokens that a call of an agent may use: what is left of the reply's, in equal parts for the agents that this turn
 * calls.
 * @param isAgentTool Whether a tool of this name is an agent.
 */
export function budgetOfCall(
  state: ReplyState,
  isAgentTool: (name: string) => boolean,
  max_tokens = MAX_REPLY_TOKENS,
): number {
  const calls = turnBlocks(state).filter(
    (block) => block.type === "tool_call" && isAgentTool(block.name),
  );
  const { usage } = state.message;
  const own = usage === null ? 0 : usage.input_tokens + usage.output_tokens;
  // The parts of this turn are equal, whichever of its agents has ended already.
  const before = usedBySubagents(state, new Set(calls.map(({ id }) => id)));
  return Math.floor(Math.max(max_tokens - own - before, 0) / Math.max(calls.length, 1));
}
