import type { Announcement } from "../../protocol/webhooks/announcement.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { isShownOnly, planUpdateOf } from "../../protocol/plans/events.ts";

/** A change of the plans for webhooks: ids, states and counts; null for every other event. */
export function announcePlan(event: LoggedEvent): Announcement | null {
  const update = planUpdateOf(event);
  if (!update || isShownOnly(update)) return null;
  const { version, current, archived } = update;
  const plan = current ?? archived.at(-1);
  if (!plan) return null;
  const subtasks = { todo: 0, in_progress: 0, done: 0, abandoned: 0 };
  for (const { state } of plan.subtasks) subtasks[state] += 1;
  const data = { plan_id: plan.id, plan_state: plan.state, version, subtasks };
  return { type: "plan.updated", data };
}
