// What a reply may use up before it is ended: nothing may run for ever.
import type { ErrorInfo, Msg } from "../protocol/messages.ts";
import { MAX_REPLY_TOKENS } from "../protocol/limits-recovery.ts";

/** Which budget is spent; `REPLY_END.metadata.budget` says it. */
export type SpentBudget = "attempts" | "time" | "tokens";

const ERRORS: Record<SpentBudget, ErrorInfo> = {
  attempts: {
    type: "internal",
    message: "The reply was lost too often on the platform's side to be finished.",
  },
  time: { type: "unknown", message: "The reply has run for as long as it may." },
  tokens: { type: "unknown", message: "The reply has used as many tokens as it may." },
};

/** The error that a reply ends with when this is spent. */
export function budgetError(budget: SpentBudget): ErrorInfo {
  return ERRORS[budget];
}

/** Asked before each model call: one that has begun is not cut short, so the last one may go beyond. */
export function areTokensSpent({ usage }: Msg, maxTokens = MAX_REPLY_TOKENS): boolean {
  return usage !== null && usage.input_tokens + usage.output_tokens >= maxTokens;
}
