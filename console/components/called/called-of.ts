import type { ContentBlock, Reply } from "../../../sdk/index.ts";
import { toolResultsOf, type ToolResult } from "../message/tool-results.ts";
import { isRecord } from "../words/members.ts";

export type Subagent = NonNullable<Reply["subagents"]>[number];
export type SubagentQuestion = NonNullable<Subagent["pending"]>[number];

/** An agent that a call has called, as its card shows it. */
export interface Called {
  readonly sessionId: string;
  readonly agentId: string;
  readonly status: string;
  readonly tokens: number;
  /** Null where it is not known. */
  readonly costUsd: number | null;
  readonly isAtWork: boolean;
  readonly questions: readonly SubagentQuestion[];
}

const NO_QUESTIONS: readonly SubagentQuestion[] = [];

/**
 * The agent of a call: as the open reply has it, or as the result of the call has kept it; null for a call of no agent.
 * @param result Of the call; undefined while it has none.
 */
export function calledOf(
  callId: string,
  subagents: readonly Subagent[],
  result: ToolResult | undefined,
): Called | null {
  const live = subagents.find(({ tool_call_id }) => tool_call_id === callId);
  if (live && live.status !== "ended") {
    const { pending = NO_QUESTIONS } = live;
    return {
      sessionId: live.session_id,
      agentId: live.agent_id,
      status: pending.length > 0 ? "asking" : live.status === "waiting" ? "waiting" : "working",
      tokens: live.input_tokens + live.output_tokens,
      costUsd: live.cost_usd,
      isAtWork: true,
      questions: pending,
    };
  }
  const kept: unknown = result?.metadata?.["subagent"];
  if (isRecord(kept) && typeof kept["session_id"] === "string") {
    const usage = isRecord(kept["usage"]) ? kept["usage"] : {};
    return {
      sessionId: kept["session_id"],
      agentId: String(kept["agent_id"]),
      status: typeof kept["status"] === "string" ? kept["status"] : "completed",
      tokens: numberIn(usage["input_tokens"]) + numberIn(usage["output_tokens"]),
      costUsd: typeof usage["cost_usd"] === "number" ? usage["cost_usd"] : null,
      isAtWork: false,
      questions: NO_QUESTIONS,
    };
  }
  if (!live) return null;
  return {
    sessionId: live.session_id,
    agentId: live.agent_id,
    status: "ended",
    tokens: live.input_tokens + live.output_tokens,
    costUsd: live.cost_usd,
    isAtWork: false,
    questions: NO_QUESTIONS,
  };
}

/** Whether an agent may be at work for one of the calls: none of them waits for a person or for another system itself. */
export function mayBeAtWork(content: readonly ContentBlock[]): boolean {
  const results = toolResultsOf(content);
  return content.some(
    (block) =>
      block.type === "tool_call" &&
      block.state !== "asking" &&
      block.state !== "submitted" &&
      !results.get(block.id)?.finished_at,
  );
}

function numberIn(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
