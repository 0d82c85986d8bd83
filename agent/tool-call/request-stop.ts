// A tool that stops its reply: the reply ends, completed, behind the results of the turn.
import type { EventDraft } from "../../protocol/events.ts";
import { REQUEST_STOP, type RequestStopValue } from "../../protocol/hooks/events.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { ReplyState } from "../state/reply-state.ts";

/** The event in the commit of the result; of several tools that stop one reply the first one alone has it. */
export function requestStop(
  { message, stopped_by }: Pick<ReplyState, "message" | "stopped_by">,
  { name }: ToolCallBlock,
): readonly EventDraft[] {
  if (stopped_by !== null) return [];
  const { id: reply_id } = message;
  const reason = `The tool ${name} has stopped the reply.`;
  const value: RequestStopValue = { reply_id, reason, generateReason: "ACTING_STOP_REQUESTED" };
  return [{ type: "CUSTOM", name: REQUEST_STOP, reply_id, value: { ...value } }];
}

/** The metadata of the end of a reply that a tool has stopped; none for any other. */
export function stopMetadata({
  stopped_by,
}: Pick<ReplyState, "stopped_by">): Record<string, unknown> | undefined {
  return stopped_by === null ? undefined : { stopped_by: { tool: stopped_by } };
}
