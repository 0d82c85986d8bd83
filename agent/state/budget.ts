// What a reply may use up before it is ended: nothing may run for ever.
import { RESERVED_TEXT_CHARACTERS } from "../../protocol/limits/models.ts";
import {
  MAX_REPLY_BLOCKS,
  MAX_REPLY_LOG_CHARACTERS,
  MAX_REPLY_TOKENS,
  MAX_REPLY_CHARACTERS,
} from "../../protocol/limits/replies.ts";
import type { ErrorInfo, Msg } from "../../protocol/messages/messages.ts";
import { modelError } from "./model-error.ts";
import type { ReplyState } from "./reply-state.ts";

/** Which budget is spent; `REPLY_END.metadata.budget` says it. */
export type SpentBudget = "attempts" | "time" | "tokens" | "output";

const ERRORS: Record<SpentBudget, ErrorInfo> = {
  attempts: {
    type: "internal",
    message: "The reply was lost too often on the platform's side to be finished.",
  },
  time: { type: "unknown", message: "The reply has run for as long as it may." },
  tokens: { type: "unknown", message: "The reply has used as many tokens as it may." },
  output: modelError("output_limit"),
};

/** The error that a reply ends with when this is spent. */
export function budgetError(budget: SpentBudget): ErrorInfo {
  return ERRORS[budget];
}

/** Asked before each model call: one that has begun is not cut short, so the last one may go beyond. */
export function areTokensSpent({ usage }: Msg, maxTokens = MAX_REPLY_TOKENS): boolean {
  return usage !== null && usage.input_tokens + usage.output_tokens >= maxTokens;
}

/** What a reply has put into its message, and into the log. */
type Written = Pick<ReplyState, "characters" | "logged_characters">;

/** Asked before each model call: there is room for no more words, or for no more blocks. */
export function isOutputSpent(state: ReplyState): boolean {
  return (
    roomForWords(state) <= 0 ||
    isLogSpent(state) ||
    state.message.content.length >= MAX_REPLY_BLOCKS
  );
}

/** UTF-16 units that a model may add to the message. */
export function roomForWords({ characters }: Written): number {
  return MAX_REPLY_CHARACTERS - characters;
}

/** UTF-16 units that results may add to it. */
export function roomForResults(state: Written): number {
  return isLogSpent(state) ? 0 : roomForWords(state) - RESERVED_TEXT_CHARACTERS;
}

/** Counts what was taken back too: a model that breaks off again and again fills the disk, and not the message. */
export function isLogSpent({ logged_characters }: Written): boolean {
  return logged_characters >= MAX_REPLY_LOG_CHARACTERS;
}
