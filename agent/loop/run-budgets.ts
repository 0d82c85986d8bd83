// The budgets of a reply that are checked before each model call.
import type { Msg } from "../../protocol/messages/messages.ts";
import { areTokensSpent, isOutputSpent, type SpentBudget } from "../state/budget.ts";
import type { ReplyRun } from "./reply-run.ts";

/** The tokens that count for quotas. */
export function usedTokens({ usage }: Msg): number {
  return usage === null ? 0 : usage.input_tokens + usage.output_tokens;
}

/** The budget that allows no further model call; null when there is room for one. */
export function spentBudget({ log, max_tokens }: ReplyRun): SpentBudget | null {
  if (areTokensSpent(log.state, max_tokens)) return "tokens";
  return isOutputSpent(log.state) ? "output" : null;
}
