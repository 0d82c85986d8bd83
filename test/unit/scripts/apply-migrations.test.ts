// The migrations of `npm start`, on a real D1 of this machine.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeEach, expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { applyMigrations } from "../../../scripts/apply-migrations.ts";
import { StartFailure } from "../../../scripts/start-failure.ts";

type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

const FOLDER = join(import.meta.dirname, "../../../migrations");
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
const runtime = new Miniflare(
  convertV4MiniflareOptions({
    modules: true,
    script: "export default {}",
    d1Databases: ["DB"],
    telemetry: { enabled: false },
  }),
);
let database: Database;

beforeEach(async () => {
  database = await runtime.getD1Database("DB");
  const { results } = await database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    )
    .all<{ name: string }>();
  for (const { name } of results.filter((table) => !table.name.startsWith("sqlite_"))) {
    await database.prepare(`DROP TABLE ${name}`).run();
  }
});

afterAll(() => runtime.dispose());

async function tablesOf(): Promise<readonly string[]> {
  const { results } = await database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name",
    )
    .all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !name.startsWith("sqlite_"));
}

test("a new database gets all of them, and one that has them none", async () => {
  const applied = [
    await applyMigrations(database, FOLDER, ".reprise"),
    await applyMigrations(database, FOLDER, ".reprise"),
  ];

  expect(applied).toEqual([FILES, []]);
  expect(await tablesOf()).toContain("tenants");
});

test(
  "a database of before the baseline is left as it is, and the failure says what to do",
  BROAD,
  async () => {
    await database
      .prepare("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
      .run();
    const old = "INSERT INTO d1_migrations (name) VALUES ('0000_tenants_agents_sessions.sql')";
    await database.prepare(old).run();

    const failure = await applyMigrations(database, FOLDER, "/home/me/.reprise").catch(
      (error: unknown) => error,
    );

    expect(failure).toBeInstanceOf(StartFailure);
    expect(String(failure)).toBe(
      "StartFailure: The state folder /home/me/.reprise was made by an older version of Reprise, whose database this version cannot migrate (it began with 0000_tenants_agents_sessions.sql, not with 0000_baseline.sql). Its data was not changed. Start on a new folder with REPRISE_STATE=.reprise-2 npm start, or remove /home/me/.reprise with all that is in it and start again",
    );
    expect(await tablesOf()).toEqual(["d1_migrations"]);
  },
);
