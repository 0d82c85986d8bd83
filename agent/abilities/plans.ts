import type { AbilityDefinition } from "../ability.ts";
import { adoptPlans, plansWithTasks } from "../plans/adopt-plans.ts";
import { announcePlan } from "../plans/announce-plan.ts";
import { PLAN_ACTIVITY } from "../plans/plan-activity.ts";
import { PLAN_FOLD } from "../plans/plan-fold.ts";
import type { PlanState } from "../plans/plan-state.ts";
import { tasksOf } from "../plans/tasks-context.ts";
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
