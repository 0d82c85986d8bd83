import type { endOfReply } from "../runs/end-of-reply.ts";
import type { AgUiEvent } from "../wire/events.ts";

export type LaneEnd = ReturnType<typeof endOfReply>;

/** The end of a lane whose agent was stopped before it had finished. */
export const STOPPED = { code: "interrupted", message: "The agent was stopped." } as const;

export function finishedLane(subagentRunId: string, end: LaneEnd): AgUiEvent {
  if (!("type" in end)) return { type: "SUBAGENT_ERROR", subagentRunId, ...end };
  if (end.type !== "success") return { type: "SUBAGENT_ERROR", subagentRunId, ...STOPPED };
  return { type: "SUBAGENT_FINISHED", subagentRunId, outcome: { type: "success" } };
}
