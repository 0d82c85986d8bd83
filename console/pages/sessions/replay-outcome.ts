import type { Replay } from "../../../sdk/index.ts";

/** The outcome of a replay in which nothing has changed. */
export const SAME = "the same";

/** The outcome of a replayed session, in words that are counted: other calls weigh more than other words. */
export function outcomeOf({ stopped, summary }: Pick<Replay, "stopped" | "summary">): string {
  if (stopped) return `stopped (${stopped.reason.replaceAll("_", " ")})`;
  const { changed, new: added, gone } = summary.calls;
  if (changed + added + gone > 0) return "with other calls";
  return summary.answers_changed > 0 ? "with another answer" : SAME;
}
