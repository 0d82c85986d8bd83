// Applies the D1 migrations and records them in the same table as `wrangler d1 migrations apply`, so that both can be
// used.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Miniflare } from "miniflare";
import { unstable_splitSqlQuery as splitStatements } from "wrangler";

type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** Applies the pending migrations, each file in its own transaction. @returns the files' names. */
export async function applyMigrations(database: Database, folder: string): Promise<string[]> {
  await database.prepare(CREATE_TABLE).run();
  const { results } = await database
    .prepare("SELECT name FROM d1_migrations")
    .all<{ name: string }>();
  const applied = new Set(results.map((row) => row.name));
  const missing = listMigrations(folder).filter((name) => !applied.has(name));
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
