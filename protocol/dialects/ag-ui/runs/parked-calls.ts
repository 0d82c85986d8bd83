// Whether a reply waits for somebody, as far as its events say. The log has no event for it: a reply is parked when
// calls wait and nothing else is left to do.
import type { ToolCallBlock } from "../../../messages/blocks.ts";
import type { AgentEvent } from "../../../events.ts";
import type { Msg } from "../../../messages/messages.ts";

export interface ParkedCalls {
  readonly waiting: readonly ToolCallBlock[];
  /**
   * False while calls stand by that may be about to start, or wait for the answer too: what the reply's next event is,
   * or the end of its stream, tells.
   */
  readonly isCertain: boolean;
}

/**
 * @param answered Calls that somebody outside has given the result of; it is on its way into the message.
 * @returns Null when no call waits, or another one is in motion.
 */
export function findParkedCalls(
  { content }: Msg,
  answered: ReadonlySet<string>,
): ParkedCalls | null {
  // As after most results. Asked first, since a reply may have thousands of calls.
  if (!content.some((block) => block.type === "tool_call" && isWaiting(block, answered))) {
    return null;
  }
  const running = new Set<string>();
  const ended = new Set<string>();
  for (const block of content) {
    if (block.type === "tool_result") (block.state === "running" ? running : ended).add(block.id);
  }
  const waiting: ToolCallBlock[] = [];
  let isCertain = true;
  for (const block of content) {
    if (block.type !== "tool_call") continue;
    if (isWaiting(block, answered)) waiting.push(block);
    else if (block.state === "pending" && !running.has(block.id)) isCertain = false;
    else if (block.state !== "finished" || !ended.has(block.id)) return null;
  }
  return waiting.length > 0 ? { waiting, isCertain } : null;
}

/** Whether `event`, of a reply that seemed to be parked, says that it was: an answer, an expiry, an end. */
export function tellsOfPark(
  event: AgentEvent,
  { content }: Msg,
  answered: ReadonlySet<string>,
): boolean {
  switch (event.type) {
    case "USER_CONFIRM_RESULT":
    case "EXTERNAL_EXECUTION_RESULT":
    case "USER_INTERRUPT":
    case "REPLY_END":
      return true;
    case "TOOL_RESULT_START":
      // A call that is started says by which decision; one that is only brought to its end does not.
      return !Object.hasOwn(event.metadata, "decision");
    case "TOOL_RESULT_TEXT_DELTA":
    case "TOOL_RESULT_END":
      return content.some(
        (block) =>
          block.type === "tool_call" &&
          block.id === event.tool_call_id &&
          isWaiting(block, answered),
      );
    default:
      return false;
  }
}

function isWaiting({ state, id }: ToolCallBlock, answered: ReadonlySet<string>): boolean {
  return state === "asking" || (state === "submitted" && !answered.has(id));
}
