// The plan of a session as an activity of AG-UI.
import type { EventOf } from "../../events.ts";
import { planUpdateOf } from "../../plans/events.ts";
import { type Plan } from "../../plans/plan.ts";
import type { AgUiEvent } from "./wire/events.ts";
import { activity } from "./side-events.ts";

/** AG-UI's own example of an activity's type. */
const PLAN_ACTIVITY = "PLAN";

/** Follows the plan through a reply. Its first event shows the plan as it was when the reply began. */
export class ReplyPlan {
  #current: Plan | null = null;

  /** @returns `ACTIVITY_DELTA` or `ACTIVITY_SNAPSHOT`s; null when the event is none of the plan. */
  push(event: EventOf<"CUSTOM">): readonly AgUiEvent[] | null {
    const update = planUpdateOf(event);
    if (!update) return null;
    const { current, archived, patch } = update;
    const before = this.#current;
    this.#current = current;
    if (current && patch && patch.length > 0 && before?.id === current.id) {
      return [{ type: "ACTIVITY_DELTA", ...activityOf(current.id), patch }];
    }
    // A plan that has ended is shown as it ended.
    return [...archived, ...(current ? [current] : [])].map(planSnapshot);
  }

  /** Empty while there is no plan. */
  snapshot(): readonly AgUiEvent[] {
    return this.#current ? [planSnapshot(this.#current)] : [];
  }
}

export function planSnapshot(plan: Plan): AgUiEvent {
  const { messageId, activityType } = activityOf(plan.id);
  return activity(messageId, activityType, { ...plan });
}

function activityOf(planId: string) {
  return { messageId: `plan:${planId}`, activityType: PLAN_ACTIVITY };
}
