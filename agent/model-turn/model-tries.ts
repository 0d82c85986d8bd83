// Failed tries of one model call, kept outside the log so that a crash in the middle of a back-off does not start the
// count anew. They belong to one place of the reply: when it has come further, or another model's turn has come, they
// count no more, and nothing has to be written for that.
import type { ReplyState } from "../state/reply-state.ts";

export interface ModelTries {
  readonly failed: number;
  /** A number that changes with each model call that ended, well or badly. */
  readonly place: number;
}

export const NO_TRIES: ModelTries = { failed: 0, place: 0 };

export function triesAt(tries: ModelTries, state: ReplyState): number {
  return tries.place === placeOf(state) ? tries.failed : 0;
}

export function oneMoreTry(tries: ModelTries, state: ReplyState): ModelTries {
  return { failed: triesAt(tries, state) + 1, place: placeOf(state) };
}

function placeOf({ completed_steps, failed_model_calls }: ReplyState): number {
  return completed_steps + failed_model_calls;
}
