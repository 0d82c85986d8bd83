// The summary after the last round: a model call without tools, in which the model says what was done.
import type { EventDraft } from "../../protocol/events.ts";
import type { ReplyState } from "./reply-state.ts";

/** The `source` of the hint with which the summary begins. */
export const ROUND_LIMIT_SOURCE = "max_iters";

const HINT =
  "This reply has used all of its rounds: no tool can be called any more. Answer with text: say what you have done and found out, and what is still to be done.";

/** The hint for the model. It marks in the log that nothing but the summary follows. */
export function roundLimitHint({ message }: ReplyState, block_id: string): EventDraft {
  const reply_id = message.id;
  return { type: "HINT_BLOCK", reply_id, block_id, source: ROUND_LIMIT_SOURCE, hint: HINT };
}

/** Whether the reply has used its rounds, and its summary has begun. */
export function isSummarizing({ message }: Pick<ReplyState, "message">): boolean {
  return message.content.some(
    (block) => block.type === "hint" && block.source === ROUND_LIMIT_SOURCE,
  );
}
