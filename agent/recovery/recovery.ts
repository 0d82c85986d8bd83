// Recovers a reply whose machine was lost while it ran. Pure: from the state in the log it gives the events to append
// first and what to do next. A crash during recovery is recovered in the same way.
import type { ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import {
  MAX_RECOVERIES,
  MAX_RECOVERIES_WITHOUT_PROGRESS,
  MAX_RECOVERY_WAIT_MS,
  RECOVERY_BACK_OFF_MAX_MS,
  RECOVERY_BACK_OFF_MS,
} from "../../protocol/replies/limits.ts";
import { heldCallIds, isReadyToSend } from "../state/input-record.ts";
import type { SpentBudget } from "../state/budget.ts";
import { withProgress } from "../state/progress-record.ts";
import type { ReplyState } from "../state/reply-state.ts";
import { resultMetadata } from "../state/result-metadata.ts";
import { startedCallIds } from "../state/started-call-ids.ts";
import { takeBack } from "./take-back.ts";

/** Records about recovery that are not in the log. */
export interface RecoveryJournal {
  /** Earlier recoveries of the reply. */
  readonly attempts: number;
  /** The last consecutive attempts in which the reply did not progress. */
  readonly attempts_without_progress: number;
  /** `completed_steps` right after the last recovery. */
  readonly steps_at_recovery: number;
  /** Unix time in milliseconds before which the model may not be called again; null when it may. */
  readonly retry_at: number | null;
  /** Milliseconds that the reply has run, and the most that it may. */
  readonly ran_ms: number;
  readonly max_run_ms: number;
}

export interface RecoveryCircumstances {
  /**
   * Whether a call may be made again: repeating one of this tool with the same key has no further effect, or its result is
   * known and nothing is sent.
   */
  readonly isRepeatable: (toolName: string, callId: string) => boolean;
  /** Unix time in milliseconds. */
  readonly nowMs: number;
  /** From 0 to below 1: spreads sessions that were lost together. */
  readonly random: number;
}

export interface Recovery extends Pick<RecoveryJournal, "attempts" | "attempts_without_progress"> {
  /** `reply_recovered`, the ENDs of what was open, results whose outcome is unknown. None when nothing was open. */
  readonly events: readonly EventDraft[];
  readonly next:
    | { readonly type: "run" }
    | { readonly type: "wait"; readonly untilMs: number }
    /** The reply is ended, because this budget is used up. */
    | { readonly type: "end"; readonly budget: SpentBudget };
}

const OUTCOME_UNKNOWN =
  "The connection to this tool was lost while it ran, so its outcome is unknown: it may have taken effect. Find out before you call it again.";

/**
 * An open model call is taken back and made again. Started calls of idempotent tools are reset and run again under the
 * same id; all others get a result that says that their outcome is unknown, and never run twice.
 */
export function recover(
  state: ReplyState,
  journal: RecoveryJournal,
  { isRepeatable, nowMs, random }: RecoveryCircumstances,
): Recovery {
  const hasProgressed = state.completed_steps > journal.steps_at_recovery;
  const attempts = journal.attempts + 1;
  const idle = hasProgressed ? 0 : journal.attempts_without_progress;
  return {
    events: recoveryEvents(state, isRepeatable),
    attempts,
    attempts_without_progress: idle + 1,
    next: decideNext(),
  };

  function decideNext(): Recovery["next"] {
    if (journal.ran_ms >= journal.max_run_ms) return { type: "end", budget: "time" };
    if (attempts > MAX_RECOVERIES || idle >= MAX_RECOVERIES_WITHOUT_PROGRESS) {
      return { type: "end", budget: "attempts" };
    }
    const untilMs = Math.max(
      nowMs + backOffMs(idle, random),
      limitWait(journal.retry_at ?? 0, nowMs),
    );
    return untilMs > nowMs ? { type: "wait", untilMs } : { type: "run" };
  }
}

/**
 * The first events after a reply's machine was lost: what is taken back, and the results of calls whose outcome is
 * unknown.
 * @param isRepeatable See {@link RecoveryCircumstances}; left out for a reply that does not continue: then no call is
 *   repeated.
 */
export function recoveryEvents(
  state: ReplyState,
  isRepeatable: RecoveryCircumstances["isRepeatable"] = () => false,
): readonly EventDraft[] {
  const started = startedResults(state);
  // A task is asked for again, and its call is not made again.
  const lost = started.filter(({ id, name }) => !isRepeatable(name, id) && !state.tasks.has(id));
  return [
    ...takeBack(state, started),
    ...lost.flatMap((result) => endWithUnknownOutcome(state, result)),
  ];
}

/** Bounds a stored time: one further away than any wait was stored before the clock was set back. */
export function limitWait(untilMs: number, nowMs: number): number {
  return Math.min(untilMs, nowMs + MAX_RECOVERY_WAIT_MS);
}

/** No wait at the first restart and at the first one after progress, so that a deployment causes no delay. */
function backOffMs(idleRestarts: number, random: number): number {
  if (idleRestarts === 0) return 0;
  const fullMs = Math.min(RECOVERY_BACK_OFF_MS * 2 ** (idleRestarts - 1), RECOVERY_BACK_OFF_MAX_MS);
  return Math.round(fullMs * (0.5 + random / 2));
}

function startedResults(state: ReplyState): readonly ToolResultBlock[] {
  // A call that waits on a connection is lost with it; one whose answers were not sent yet continues.
  const ids = new Set([...startedCallIds(state), ...heldCallIds(state)]);
  for (const id of ids) if (isReadyToSend(state.inputs, id)) ids.delete(id);
  return state.message.content.filter(
    (block): block is ToolResultBlock => block.type === "tool_result" && ids.has(block.id),
  );
}

function endWithUnknownOutcome(state: ReplyState, { id }: ToolResultBlock): EventDraft[] {
  const target = { reply_id: state.message.id, tool_call_id: id };
  return [
    { type: "TOOL_RESULT_TEXT_DELTA", ...target, delta: withProgress(state, id, OUTCOME_UNKNOWN) },
    {
      type: "TOOL_RESULT_END",
      ...target,
      state: "error",
      metadata: resultMetadata(state, id, { outcome: "unknown" }),
    },
  ];
}
