// The tables of D1 as all migrations leave them, for tests that begin with an empty database.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Statements that make the schema of the folder's migrations, in the order in which SQLite has them. They are half as many
 * as those of the migrations, which make tables anew and add columns; `test/worker/golden/tables.test.ts` has their text.
 */
export function readSchema(folder: string): readonly string[] {
  const database = new DatabaseSync(":memory:");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const name of files.toSorted()) database.exec(readFileSync(join(folder, name), "utf8"));
  const rows = database
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    .all();
  const filled = rows.filter(({ type, name }) => type === "table" && hasRows(String(name)));
  if (filled.length > 0) throw new Error("a migration has written rows, which are not in a schema");
  return rows.map(({ sql }) => String(sql));

  function hasRows(table: string): boolean {
    return database.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).get() !== undefined;
  }
}
