// Several calls at the same time, a bounded number of them.
import type { ToolCallBlock } from "../protocol/blocks.ts";
import { MAX_PARALLEL_TOOL_CALLS } from "../protocol/limits.ts";
import type { PermissionRule } from "../protocol/permission.ts";
import { runToolCall, type ToolCallContext } from "./tool-call.ts";

/**
 * Resolves when every call has its result or waits for somebody. When the log refuses the runner the first
 * refusal is passed on after all calls have come to rest, so nothing goes on behind the caller's back.
 * @param alreadyOffered What the questions of calls beside these suggest.
 */
export async function runToolBatch(
  calls: readonly ToolCallBlock[],
  context: ToolCallContext,
  alreadyOffered: readonly PermissionRule[] = [],
): Promise<void> {
  const waiting = [...calls];
  const offered = [...alreadyOffered];
  const workers = Array.from({ length: Math.min(calls.length, MAX_PARALLEL_TOOL_CALLS) }, work);
  const outcomes = await Promise.allSettled(workers);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;

  async function work(): Promise<void> {
    for (let call = waiting.shift(); call; call = waiting.shift()) {
      if (context.stop.aborted) return;
      await runToolCall(call, context, offered);
    }
  }
}
