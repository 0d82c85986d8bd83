import { isShownOnly, planUpdateOf } from "../../protocol/plans/plan.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { PlanNews } from "../../storage/outbox/deliver-outbox.ts";

/** What webhooks are told of a change of the plans: ids, states and counts; null for every other event. */
export function planNews(event: LoggedEvent): PlanNews | null {
  const update = planUpdateOf(event);
  if (!update || isShownOnly(update)) return null;
  const { version, current, archived } = update;
  const plan = current ?? archived.at(-1);
  if (!plan) return null;
  const subtasks = { todo: 0, in_progress: 0, done: 0, abandoned: 0 };
  for (const { state } of plan.subtasks) subtasks[state] += 1;
  return { plan_id: plan.id, plan_state: plan.state, version, subtasks };
}
