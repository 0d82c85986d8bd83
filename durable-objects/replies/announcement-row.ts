// Announcements in the outbox's column `plan`. The column is older than the hook: of `plan.updated` it has the data alone,
// as rows of every version do; of other types it has type and data.
import type { Announcement } from "../../protocol/webhooks/announcement.ts";

const PLAN_UPDATED = "plan.updated" satisfies Announcement["type"];
type PlanUpdated = Extract<Announcement, { readonly type: typeof PLAN_UPDATED }>;

export function announcementToRow(announcement: Announcement): string {
  const { type, data } = announcement;
  return JSON.stringify(type === PLAN_UPDATED ? data : announcement);
}

/** @throws when it is no JSON. */
export function announcementOfRow(text: string): Announcement {
  const stored = JSON.parse(text) as Announcement | PlanUpdated["data"];
  return "type" in stored ? stored : { type: PLAN_UPDATED, data: stored };
}
