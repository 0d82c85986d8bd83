// The plans of a session, as the log's changes make them.
import { MAX_PLAN_HISTORY, MAX_PLAN_HISTORY_BYTES } from "../../protocol/plans/limits.ts";
import type { Plan, Subtask } from "../../protocol/plans/plan.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";

/** The view of a step for the person who is asked to accept it. */
export interface AskedStep extends Readonly<
  Pick<Subtask, "name" | "description" | "expected_outcome">
> {
  readonly plan_id: string;
  readonly subtask_id: string;
  readonly criteria: string;
}

export interface PlanState {
  /** The number of changes so far. */
  readonly version: number;
  readonly current: Plan | null;
  /** Earlier plans, oldest first. */
  readonly history: readonly Plan[];
  /** The last reply was interrupted while there was a plan, and nothing has changed the plan since. */
  readonly is_suspended: boolean;
  /** By the id of a call that a person is asked about: the step as they were shown it. */
  readonly asked: Readonly<Record<string, AskedStep>>;
}

export const NO_PLANS: PlanState = {
  version: 0,
  current: null,
  history: [],
  is_suspended: false,
  asked: {},
};

/** As many of the newest as fit. */
export function newestPlans(plans: readonly Plan[]): readonly Plan[] {
  let bytes = 0;
  let first = plans.length;
  while (first > 0 && plans.length - first < MAX_PLAN_HISTORY) {
    bytes += utf8Bytes(JSON.stringify(plans[first - 1]));
    if (bytes > MAX_PLAN_HISTORY_BYTES) break;
    first -= 1;
  }
  return first === 0 ? plans : plans.slice(first);
}
