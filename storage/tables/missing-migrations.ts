import { MIGRATIONS } from "./migrations.ts";

const WITHOUT_TABLE = /no such table: [\w.]*d1_migrations/;

/**
 * The migrations that were not applied to the database: all of them when it was never migrated.
 * @throws when the database does not answer.
 */
export async function missingMigrations(database: D1Database): Promise<readonly string[]> {
  try {
    // The table of `wrangler d1 migrations apply`.
    const statement = database.prepare("SELECT name FROM d1_migrations");
    const { results } = await statement.all<{ name: string }>();
    const applied = new Set(results.map(({ name }) => name));
    return MIGRATIONS.filter((name) => !applied.has(name));
  } catch (error) {
    if (error instanceof Error && WITHOUT_TABLE.test(error.message)) return MIGRATIONS;
    throw error;
  }
}

/** Whether D1 lacks a table or a column that the code uses: a migration was not applied. */
export function isSchemaMissing(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (/^D1_ERROR: (?:no such (?:table|column)|table \w+ has no column)/.test(cause.message)) {
      return true;
    }
  }
  return false;
}
