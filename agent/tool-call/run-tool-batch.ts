// Runs a batch of calls in parallel, with a bounded concurrency.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { MAX_PARALLEL_TOOL_CALLS } from "../../protocol/limits/tools.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { PermissionSettings } from "../permission/check-call.ts";
import { countTurnCalls } from "../state/reply-state.ts";
import { startedCallIds } from "../state/started-call-ids.ts";
import { parkHeld } from "./park-held.ts";
import { planToolCall, type BatchContext, type ToolCallContext } from "./plan-tool-call.ts";

/**
 * Resolves when every call has its result or waits for an answer. When the log refuses the runner, the first refusal is
 * rethrown after all calls have settled, so that nothing runs on unobserved.
 * @param alreadyOffered Rules that questions of calls outside this batch suggest.
 */
export async function runToolBatch(
  calls: readonly ToolCallBlock[],
  context: ToolCallContext,
  alreadyOffered: readonly PermissionRule[] = [],
): Promise<void> {
  const { log, stop } = context;
  const started = startedCallIds(log.state);
  const batch: BatchContext = { ...context, started, offered: [...alreadyOffered] };
  const waiting = calls.values();
  const workers = Array.from({ length: Math.min(calls.length, MAX_PARALLEL_TOOL_CALLS) }, work);
  const outcomes = await Promise.allSettled(workers);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;

  async function work(): Promise<void> {
    for (let run = beginNext(); run; run = beginNext()) {
      await run();
      if (!stop.aborted) parkHeld(log);
    }
  }

  /**
   * Starts the next call that has something to run; null when none is left. Calls before it that need no run get their
   * results in one append: a model may call a hundred unknown tools.
   */
  function beginNext(): (() => Promise<void>) | null {
    if (stop.aborted) return null;
    let permission: PermissionSettings | null = null;
    const results: EventDraft[] = [];
    let run: (() => Promise<void>) | null = null;
    while (!run) {
      const { value: call } = waiting.next();
      if (!call) break;
      permission ??= { ...context.permission(), calls: countTurnCalls(log.state) };
      const plan = planToolCall(call, batch, permission);
      if (plan.type === "result") results.push(...plan.events);
      else if (plan.type === "run") run = plan.run;
    }
    if (results.length > 0) log.append(results);
    return run;
  }
}
