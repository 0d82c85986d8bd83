// Counts failed tries of one model call, outside the log, so that a crash during a back-off does not reset the count.
// The count is bound to one place of the reply: when the reply has progressed or another model is next, it no longer
// applies, and nothing has to be written for that.
import type { ReplyState } from "../state/reply-state.ts";

export interface ModelTries {
  readonly failed: number;
  /** Identifies the place: it grows with each model call that ended or failed. */
  readonly place: number;
}

export const NO_TRIES: ModelTries = { failed: 0, place: 0 };

export function triesAt(tries: ModelTries, state: ReplyState): number {
  return tries.place === placeOf(state) ? tries.failed : 0;
}

export function addFailedTry(tries: ModelTries, state: ReplyState): ModelTries {
  return { failed: triesAt(tries, state) + 1, place: placeOf(state) };
}

function placeOf({ completed_steps, failed_model_calls }: ReplyState): number {
  return completed_steps + failed_model_calls;
}
