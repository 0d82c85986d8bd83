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

  migrate(database, (number) => number >= 5);

  const rows = database
    .prepare("SELECT session_id, session_created_at, entry FROM session_states ORDER BY session_id")
    .all();
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { session_id: "ses_1", session_created_at: times.ses_1, entry: 7 },
    { session_id: "ses_2", session_created_at: times.ses_2, entry: 7 },
    { session_id: "ses_3", session_created_at: "", entry: 7 },
  ]);
});
