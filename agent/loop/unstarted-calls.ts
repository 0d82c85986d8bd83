// Finds the calls of a parallel batch that had not begun when the machine was lost, while another call of the batch
// waits for an answer.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import { isConcurrencySafe } from "./next-step.ts";
import type { ToolDeclaration } from "../ports.ts";
import { turnBlocks, type ReplyState } from "../state/reply-state.ts";

export interface UnstartedCalls {
  readonly calls: readonly ToolCallBlock[];
  /** The rules that the questions of the batch suggest: a call that they cover waits for those answers. */
  readonly offered: readonly PermissionRule[];
}

/**
 * Calls after a waiting one run with the next answer, unless they may run in parallel with it. Needed only after a
 * restart: otherwise the batch has begun them itself.
 */
export function unstartedCalls(
  state: ReplyState,
  tools: readonly ToolDeclaration[],
): UnstartedCalls {
  const calls = turnBlocks(state).filter(
    (block): block is ToolCallBlock => block.type === "tool_call",
  );
  const waiting = calls.findIndex(({ state: standing }) => isWaiting(standing));
  if (waiting === -1) return { calls: [], offered: [] };
  const behind = calls.slice(waiting);
  const end = behind.findIndex((call) => !isConcurrencySafe(call, tools));
  const beside = end === -1 ? behind : behind.slice(0, end);
  return {
    calls: beside.filter((call) => call.state === "pending"),
    offered: beside.flatMap((call) => (call.state === "asking" ? call.suggested_rules : [])),
  };
}

function isWaiting(state: ToolCallBlock["state"]): boolean {
  return state === "asking" || state === "submitted";
}
