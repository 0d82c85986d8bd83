import type { AbilityDefinition } from "../ability.ts";
import { adoptPlans, plansWithTasks } from "./adopt-plans.ts";
import { announcePlan } from "./announce-plan.ts";
import { PLAN_ACTIVITY } from "./plan-activity.ts";
import { PLAN_FOLD } from "./plan-fold.ts";
import type { PlanState } from "./plan-state.ts";
import { tasksOf } from "./tasks-context.ts";
import { planAbility } from "./plan-ability.ts";

export const PLANS: AbilityDefinition<PlanState> = {
  state: PLAN_FOLD,
  open: ({ agent: { plan = null }, nowMs, permissionContext, stateOf }) =>
    planAbility({ settings: plan, read: () => stateOf(PLAN_FOLD), permissionContext, nowMs }),
  announces: announcePlan,
  shows: PLAN_ACTIVITY,
  exports: ({ current }) => ({ tasks_context: { tasks: [...tasksOf(current)] } }),
  adopts: (given, { tasks_context }, context) =>
    plansWithTasks(adoptPlans(given, context.agent), tasks_context["tasks"], context),
};
