import type { PlanSettings } from "../../protocol/plans/contract.ts";
import { MAX_LISTED_SUBTASKS } from "../../protocol/plans/limits.ts";

/** The subtasks that a plan of the agent may have, if they fit into its bytes. */
export function mostSubtasks({ max_subtasks }: Pick<PlanSettings, "max_subtasks">): number {
  return max_subtasks ?? MAX_LISTED_SUBTASKS;
}
