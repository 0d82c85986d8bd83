import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

const FOLDER = join(import.meta.dirname, "../../../migrations");

/** A database with the migrations whose numbers `isWanted`, in their order. */
function migrate(database: DatabaseSync, isWanted: (number: number) => boolean): void {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
  for (const name of names.sort()) {
    if (isWanted(Number.parseInt(name, 10)))
      database.exec(readFileSync(join(FOLDER, name), "utf8"));
  }
}

test("states that are there already get the times at which their sessions were created", () => {
  using database = new DatabaseSync(":memory:");
  migrate(database, (number) => number < 5);
  const times = { ses_1: "2026-03-01T12:00:00.000Z", ses_2: "2026-03-01T11:00:00.000Z" };
  for (const [id, time] of Object.entries(times)) {
    database
      .prepare(
        `INSERT INTO sessions (id, tenant_id, agent_id, agent_version, metadata, created_at)
         VALUES (?, 'ten_1', 'agt_1', 1, '{}', ?)`,
      )
      .run(id, time);
  }
  // No constraint of D1 says that a state has its session.
  for (const id of ["ses_1", "ses_2", "ses_3"]) {
    database
      .prepare(
        `INSERT INTO session_states (session_id, tenant_id, entry, status, agent_version, reply_id,
         reply_status, pending, cursor, updated_at)
         VALUES (?, 'ten_1', 7, 'awaiting_permission', 1, 'rep_1', 'awaiting_permission', 1, 9, 'T')`,
      )
      .run(id);
  }

  migrate(database, (number) => number === 5);

  const rows = database
    .prepare("SELECT session_id, session_created_at, entry FROM session_states ORDER BY session_id")
    .all();
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { session_id: "ses_1", session_created_at: times.ses_1, entry: 7 },
    { session_id: "ses_2", session_created_at: times.ses_2, entry: 7 },
    { session_id: "ses_3", session_created_at: "", entry: 7 },
  ]);
});

test("usage that is there already keeps its rows, and gets its sums", () => {
  using database = new DatabaseSync(":memory:");
  migrate(database, (number) => number < 6);
  const rows = [
    ["ten_1", "ses_1", "rep_1", 3, "agt_1", 1, "ann", "small", "2026-03-01", 1, 10, 100, 1_000],
    ["ten_1", "ses_1", "rep_2", 5, "agt_1", 2, null, "small", "2026-03-01", 2, 20, 200, 2_000],
    ["ten_1", "ses_2", "rep_1", 3, "agt_1", 1, null, "large", "2026-03-01", 4, 40, 400, 4_000],
    ["ten_1", "ses_3", "rep_1", 3, "agt_2", 1, null, "small", "2026-03-02", 8, 80, 800, 8_000],
    ["ten_2", "ses_4", "rep_1", 3, "agt_3", 1, null, "small", "2026-03-01", 16, 160, 1_600, 0],
  ];
  for (const row of rows) {
    database
      .prepare(
        `INSERT INTO usage (tenant_id, session_id, reply_id, entry, agent_id, agent_version,
         end_user_id, model_name, day, input_tokens, output_tokens, cache_input_tokens,
         cache_creation_input_tokens) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(...row);
  }
  const readAll = (table: string) =>
    database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`).all();
  const before = readAll("usage");

  migrate(database, (number) => number === 6);

  expect(readAll("usage")).toEqual(before);
  expect(readAll("usage_days").map((row) => Object.values(row))).toEqual([
    ["ten_1", "2026-03-01", "agt_1", "large", 1, 4, 40, 400, 4_000],
    ["ten_1", "2026-03-01", "agt_1", "small", 2, 3, 30, 300, 3_000],
    ["ten_1", "2026-03-02", "agt_2", "small", 1, 8, 80, 800, 8_000],
    ["ten_2", "2026-03-01", "agt_3", "small", 1, 16, 160, 1_600, 0],
  ]);
});

test("deliveries and deletions that are open already are found by the walk; those that are over are not", () => {
  using database = new DatabaseSync(":memory:");
  migrate(database, (number) => number < 7);
  const [due, ended] = ["2026-03-01T12:00:00.000Z", "2026-03-01T11:00:00.000Z"];
  for (const [id, status, dueAt] of [
    ["whd_1", "pending", due],
    ["whd_2", "delivered", null],
    ["whd_3", "failed", null],
  ] as const) {
    database
      .prepare(
        `INSERT INTO webhook_deliveries (id, tenant_id, endpoint_id, message_id, type, payload, status,
         attempts, next_attempt_at, created_at)
         VALUES (?, 'ten_1', 'whk_1', ?, 'session.created', '{}', ?, 1, ?, 'T')`,
      )
      .run(id, id, status, dueAt);
  }
  for (const [id, deletedAt] of [
    ["ses_1", ended],
    ["ses_2", null],
  ] as const) {
    database
      .prepare(
        `INSERT INTO sessions (id, tenant_id, agent_id, agent_version, metadata, created_at, deleted_at)
         VALUES (?, 'ten_1', 'agt_1', 1, '{}', 'T', ?)`,
      )
      .run(id, deletedAt);
  }

  migrate(database, (number) => number === 7);

  const shown = (query: string) => database.prepare(query).all().map(Object.values);
  expect(shown("SELECT id, waits, overdue_at FROM webhook_deliveries ORDER BY id")).toEqual([
    ["whd_1", 0, due],
    ["whd_2", 0, null],
    ["whd_3", 0, null],
  ]);
  expect(shown("SELECT id, removal_due_at FROM sessions ORDER BY id")).toEqual([
    ["ses_1", ended],
    ["ses_2", null],
  ]);
});
