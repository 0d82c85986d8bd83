// Derives from the events whether a reply is parked. The log has no event for it: a reply is parked when calls wait for
// an answer, or for agents that do, and no other call is running or may start.
import { isSubagentCopy } from "../../../agents/events.ts";
import type { ToolCallBlock } from "../../../messages/blocks.ts";
import type { AgentEvent } from "../../../events.ts";
import type { Msg } from "../../../messages/messages.ts";

export interface ParkedCalls {
  readonly waiting: readonly ToolCallBlock[];
  /** Whether a call waits for an agent that waits. */
  readonly hasHeld: boolean;
  /** Whether a call waits for an agent that works, while others wait for an answer. */
  readonly hasWorking: boolean;
  /** False while other calls may start or may wait too: the reply's next event, or the end of its stream, decides. */
  readonly isCertain: boolean;
}

interface CalledCalls {
  isHeld(callId: string): boolean;
  isWorking(callId: string): boolean;
}

/**
 * @param answered Calls whose external result has arrived and is being added to the message.
 * @param called The calls whose agents wait for an answer, and those whose agents work.
 * @returns Null when no call waits, or another one is running.
 */
export function findParkedCalls(
  { content }: Msg,
  answered: ReadonlySet<string>,
  called: CalledCalls,
): ParkedCalls | null {
  const waits = (call: ToolCallBlock) =>
    isWaiting(call, answered) || (call.state !== "finished" && called.isHeld(call.id));
  // The usual case after a result. Checked first, because a reply may have thousands of calls.
  if (!content.some((block) => block.type === "tool_call" && waits(block))) return null;
  const running = new Set<string>();
  const ended = new Set<string>();
  for (const block of content) {
    if (block.type === "tool_result") (block.state === "running" ? running : ended).add(block.id);
  }
  const waiting: ToolCallBlock[] = [];
  let hasHeld = false;
  let hasWorking = false;
  let isCertain = true;
  for (const block of content) {
    if (block.type !== "tool_call") continue;
    if (isWaiting(block, answered)) waiting.push(block);
    else if (waits(block)) hasHeld = true;
    else if (block.state !== "finished" && called.isWorking(block.id)) hasWorking = true;
    else if (block.state === "pending" && !running.has(block.id)) isCertain = false;
    else if (block.state !== "finished" || !ended.has(block.id)) return null;
  }
  // A reply that asks waits, whatever its agents do; one that does not goes on with them.
  return waiting.length === 0 && hasWorking ? null : { waiting, hasHeld, hasWorking, isCertain };
}

/**
 * Whether `event`, the next one of a possibly parked reply, shows that it was parked: an answer, an expiry or an end.
 */
export function confirmsPark(
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
    case "CUSTOM":
      // Calls that could have begun have, before their agents tell anything.
      return isSubagentCopy(event.name);
    case "TOOL_RESULT_START":
      // A call that starts carries its decision; one that is only ended does not.
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
