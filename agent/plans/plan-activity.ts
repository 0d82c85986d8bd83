// The plan of a session as an activity of AG-UI.
import type { ShownActivity } from "../../protocol/dialects/ag-ui/activity-view.ts";
import { planUpdateOf } from "../../protocol/plans/events.ts";
import type { Plan } from "../../protocol/plans/plan.ts";
import type { AbilityActivities } from "../ability.ts";
import type { PlanState } from "./plan-state.ts";

/** AG-UI's own example of an activity's type. */
const ACTIVITY_TYPE = "PLAN";

/** Follows the plan through a reply, whose first event of it shows the plan as it was before. */
export const PLAN_ACTIVITY: AbilityActivities<PlanState, Plan | null> = {
  of: ({ current }) => current,
  initial: null,
  change(before, event) {
    const update = planUpdateOf(event);
    if (!update) return null;
    const { current, archived, patch } = update;
    if (current && patch && patch.length > 0 && before?.id === current.id) {
      return { shown: current, events: [{ type: "ACTIVITY_DELTA", ...headOf(current), patch }] };
    }
    // A plan that has ended is shown as it ended.
    const plans = current ? [...archived, current] : archived;
    return { shown: current, events: plans.map(planSnapshot) };
  },
  show: (plan) => (plan ? [planSnapshot(plan)] : []),
};

function planSnapshot(plan: Plan): ShownActivity {
  return { type: "ACTIVITY_SNAPSHOT", ...headOf(plan), content: { ...plan } };
}

function headOf({ id }: Plan) {
  return { messageId: `plan:${id}`, activityType: ACTIVITY_TYPE };
}
