// The open reply is found whatever the order of ids in which replies began, also in a session of the baseline.
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";

import { migrate, type TableSchema } from "../../../durable-objects/tables/schema.ts";
import { ReplyTable } from "../../../durable-objects/tables/reply-table.ts";
import { makeAllTables } from "../../../durable-objects/tables/later/later-tables.ts";
import baseline from "../../fixtures/baseline/session.json";
import { objectOf } from "../sessions/session.ts";
import { sessionInit } from "../sessions/session-init.ts";

const BASELINE: TableSchema = {
  tables: baseline.object.filter((statement) => statement.startsWith("CREATE")).join(";\n"),
  migrations: [],
};

function begin(replies: ReplyTable, id: string, start_cursor: number): void {
  const created_at = new Date(start_cursor).toISOString();
  replies.insert({ id, start_cursor, agent_version: 1, model_name: "m", created_at });
}

function withReplies(test: (replies: ReplyTable, storage: DurableObjectStorage) => void) {
  return runInDurableObject(objectOf(sessionInit({})), (_, { storage }) => {
    migrate(storage);
    makeAllTables(storage.sql);
    test(new ReplyTable(storage.sql), storage);
  });
}

it("an open reply is found until it ends, the newest by its id and one that began later", () =>
  withReplies((replies) => {
    expect(replies.open()).toBeNull();
    begin(replies, "rep_b", 1);
    expect(replies.open()).toMatchObject({ id: "rep_b", status: "running" });
    replies.setStatus("rep_b", "completed", 5);
    expect(replies.open()).toBeNull();

    begin(replies, "rep_a", 6);
    expect(replies.open()).toMatchObject({ id: "rep_a", status: "running" });
    replies.setStatus("rep_a", "awaiting_permission", 9);
    expect(replies.open()).toMatchObject({ id: "rep_a", status: "awaiting_permission" });
    replies.resume("rep_a", 2);
    expect(replies.open()).toMatchObject({ id: "rep_a", status: "running", epoch: 2 });
    replies.setStatus("rep_a", "error", 12);
    expect(replies.open()).toBeNull();

    begin(replies, "rep_c", 13);
    expect(replies.open()).toMatchObject({ id: "rep_c" });
  }));

it("the open reply is looked for without reading those that have ended", () =>
  withReplies((replies, { sql }) => {
    for (let index = 0; index < 50; index += 1) {
      begin(replies, `rep_m${10 + index}`, index);
      replies.setStatus(`rep_m${10 + index}`, "completed", index);
    }
    begin(replies, "rep_a", 60);
    const plan = sql
      .exec<{ detail: string }>(
        "EXPLAIN QUERY PLAN SELECT id FROM replies WHERE is_late = 1 AND status IN ('running')",
      )
      .toArray();

    expect(plan.map(({ detail }) => detail).join()).toContain("late_replies");
    expect(sql.exec("SELECT id FROM replies WHERE is_late = 1").toArray()).toEqual([
      { id: "rep_a" },
    ]);
  }));

it.each(["running", "awaiting_permission", "awaiting_external_result"])(
  "a reply of the baseline that is %s and not the newest is the open one",
  (status) =>
    runInDurableObject(objectOf(sessionInit({})), (_, { storage }) => {
      migrate(storage, BASELINE);
      for (const [id, is] of [
        ["rep_a", status],
        ["rep_b", "completed"],
      ]) {
        storage.sql.exec(
          `INSERT INTO replies (id, epoch, status, start_cursor, agent_version, model_name, created_at)
           VALUES (?, 1, ?, 1, 1, 'm', 'T')`,
          id,
          is,
        );
      }
      migrate(storage);
      const replies = new ReplyTable(storage.sql);

      expect(replies.open()).toMatchObject({ id: "rep_a", status });
      replies.setStatus("rep_a", "completed", 3);
      expect(replies.open()).toBeNull();
    }),
);
