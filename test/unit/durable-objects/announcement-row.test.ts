// Announcements as the outbox stores them, against rows that earlier versions wrote.
import { expect, it } from "vitest";

import {
  announcementOfRow,
  announcementToRow,
} from "../../../durable-objects/replies/announcement-row.ts";
import type { Announcement } from "../../../protocol/webhooks/announcement.ts";

/** As version 107 of the tables, and each version since, writes a change of the plans. */
const ROW =
  '{"plan_id":"plan_1","plan_state":"in_progress","version":2,"subtasks":{"todo":1,"in_progress":1,"done":0,"abandoned":0}}';
const PLAN_UPDATED: Announcement = {
  type: "plan.updated",
  data: {
    plan_id: "plan_1",
    plan_state: "in_progress",
    version: 2,
    subtasks: { todo: 1, in_progress: 1, done: 0, abandoned: 0 },
  },
};

it("a change of the plans is read out of the rows of earlier versions", () => {
  expect(announcementOfRow(ROW)).toEqual(PLAN_UPDATED);
});

it("a change of the plans is written so that earlier versions can read it", () => {
  expect(announcementToRow(PLAN_UPDATED)).toBe(ROW);
});

it("an announcement of another type is stored with its type", () => {
  const other = { type: "notes.updated", data: { notes: 1 } } as unknown as Announcement;

  expect(announcementOfRow(announcementToRow(other))).toEqual(other);
});
