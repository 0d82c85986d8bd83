// Budgets of a reply, which end it: no reply runs without limit.
import { RESERVED_TEXT_CHARACTERS } from "../../protocol/models/limits.ts";
import {
  MAX_REPLY_BLOCKS,
  MAX_REPLY_LOG_CHARACTERS,
  MAX_REPLY_TOKENS,
  MAX_REPLY_CHARACTERS,
} from "../../protocol/replies/limits.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import { modelError } from "./model-error.ts";
import type { ReplyState } from "./reply-state.ts";

/** The budget that is used up, as `REPLY_END.metadata.budget` names it. */
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

/** The error of a reply that has used up this budget. */
export function budgetError(budget: SpentBudget): ErrorInfo {
  return ERRORS[budget];
}

/** Checked before each model call. A call under way is not cut short, so the last one may exceed the limit. */
export function areTokensSpent(
  { message: { usage }, ...state }: Pick<ReplyState, "message" | "subagent_tokens">,
  maxTokens = MAX_REPLY_TOKENS,
): boolean {
  const own = usage === null ? 0 : usage.input_tokens + usage.output_tokens;
  const used = own + usedBySubagents(state);
  return used > 0 && used >= maxTokens;
}

/** Tokens of the agents that the reply has called. @param but The calls that are left out. */
export function usedBySubagents(
  { subagent_tokens }: Pick<ReplyState, "subagent_tokens">,
  but: ReadonlySet<string> = new Set(),
): number {
  let used = 0;
  for (const [id, tokens] of subagent_tokens) if (!but.has(id)) used += tokens;
  return used;
}

/** The sizes of a reply's message and of its events. */
type Written = Pick<ReplyState, "characters" | "logged_characters">;

/** Checked before each model call: no room is left for text or for blocks. */
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

/** UTF-16 units that tool results may add to the message. */
export function roomForResults(state: Written): number {
  return isLogSpent(state) ? 0 : roomForWords(state) - RESERVED_TEXT_CHARACTERS;
}

/** UTF-16 units that the answer of a hook may add to the message and to the log. */
export function roomForAnswers(state: Written): number {
  return Math.min(roomForWords(state), MAX_REPLY_LOG_CHARACTERS - state.logged_characters);
}

/** Includes output that was taken back: a model that fails again and again fills the log, but not the message. */
export function isLogSpent({ logged_characters }: Written): boolean {
  return logged_characters >= MAX_REPLY_LOG_CHARACTERS;
}
