// The plans of a session: the fold of the log's changes of them, and of what people are asked about them.
import type { EventOf } from "../../protocol/events.ts";
import { PLAN, planUpdateOf, type PlanUpdate } from "../../protocol/plans/events.ts";
import type { AbilityFold } from "../ability.ts";
import { restoredVersion } from "../json/restored-version.ts";
import { adoptPlans } from "./adopt-plans.ts";
import { newestPlans, NO_PLANS, type PlanState } from "./plan-state.ts";

export const PLAN_FOLD: AbilityFold<PlanState> = {
  name: PLAN,
  initial: NO_PLANS,
  reads: ["CUSTOM", "REQUIRE_USER_CONFIRM", "TOOL_RESULT_END", "REPLY_END"],
  advance(state, event) {
    switch (event.type) {
      case "REQUIRE_USER_CONFIRM":
        return rememberAsked(state, event);
      case "TOOL_RESULT_END":
        return forgetAsked(state, event.tool_call_id);
      case "REPLY_END":
        return endReply(state, event);
      default: {
        const update = planUpdateOf(event);
        return update ? change(state, update) : state;
      }
    }
  },
  adopt: adoptPlans,
  restore: (target, now) => restoredVersion({ ...target, asked: {} }, now),
};

/** The state after a change. An event that only shows the plan changes nothing. */
function change(state: PlanState, { version, current, archived }: PlanUpdate): PlanState {
  if (version <= state.version) return state;
  const moved = new Set([...archived.map(({ id }) => id), current?.id]);
  const kept = state.history.filter(({ id }) => !moved.has(id));
  return {
    ...state,
    version,
    current,
    history: newestPlans([...kept, ...archived]),
    is_suspended: false,
  };
}

function rememberAsked(state: PlanState, { metadata }: EventOf<"REQUIRE_USER_CONFIRM">): PlanState {
  // Written by the platform alone, so its shape is known.
  const asked = metadata["acceptances"] as PlanState["asked"] | undefined;
  return asked ? { ...state, asked: { ...state.asked, ...asked } } : state;
}

function forgetAsked(state: PlanState, callId: string): PlanState {
  if (!Object.hasOwn(state.asked, callId)) return state;
  const { [callId]: _, ...asked } = state.asked;
  return { ...state, asked };
}

function endReply(state: PlanState, { finished_reason }: EventOf<"REPLY_END">): PlanState {
  const is_suspended =
    state.is_suspended || (finished_reason === "interrupted" && state.current !== null);
  const isAsked = Object.keys(state.asked).length > 0;
  if (!isAsked && is_suspended === state.is_suspended) return state;
  return { ...state, is_suspended, asked: {} };
}
