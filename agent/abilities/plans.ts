import type { AbilityDefinition } from "../ability.ts";
import { announcePlan } from "../plans/announce-plan.ts";
import { PLAN_FOLD } from "../plans/plan-fold.ts";
import type { PlanState } from "../plans/plan-state.ts";
import { planAbility } from "./plan-ability.ts";

export const PLANS: AbilityDefinition<PlanState> = {
  state: PLAN_FOLD,
  open: ({ agent: { plan = null }, nowMs, permissionContext, stateOf }) =>
    planAbility({ settings: plan, read: () => stateOf(PLAN_FOLD), permissionContext, nowMs }),
  announces: announcePlan,
};
