// Applies the D1 migrations and records them in the same table as `wrangler d1 migrations apply`, so that both can be
// used.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Miniflare } from "miniflare";
import { unstable_splitSqlQuery as splitStatements } from "wrangler";

import { StartFailure } from "./start-failure.ts";

type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/**
 * Applies what is not applied yet, each file in a transaction of its own.
 * @param stateFolder Holds the database; named in the failure.
 * @returns the names of the files that were applied.
 * @throws {StartFailure} when the database was made by migrations from before the baseline. It stays as it is.
 */
export async function applyMigrations(
  database: Database,
  folder: string,
  stateFolder: string,
): Promise<string[]> {
  await database.prepare(CREATE_TABLE).run();
  const { results } = await database
    .prepare("SELECT name FROM d1_migrations ORDER BY id")
    .all<{ name: string }>();
  const applied = new Set(results.map((row) => row.name));
  const [first] = applied;
  const known = listMigrations(folder);
  const [baseline = ""] = known;
  if (first !== undefined && !applied.has(baseline)) {
    throw new StartFailure(
      `The state folder ${stateFolder} was made by an older version of Reprise, whose database this version cannot migrate (it began with ${first}, not with ${baseline}). Its data was not changed. Start on a new folder with REPRISE_STATE=.reprise-2 npm start, or remove ${stateFolder} with all that is in it and start again`,
    );
  }
  const missing = known.filter((name) => !applied.has(name));
  for (const name of missing) {
    const statements = splitStatements(readFileSync(join(folder, name), "utf8"));
    await database.batch([
      ...statements.map((statement) => database.prepare(statement)),
      database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
    ]);
  }
  return missing;
}

function listMigrations(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1));
}
