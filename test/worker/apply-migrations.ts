// One runtime runs many files, for starting one takes longer than most files do. Each of them finds nothing: no row,
// no object that is awake, no fake of an earlier file.
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";

vi.restoreAllMocks();
vi.useRealTimers();
// Only what is awake is erased, and D1 is an object too.
await env.DB.prepare("SELECT 1").run();
await reset();
await makeTables(env.TEST_MIGRATIONS, env.TEST_SCHEMA);

/** In one transaction, under the names of all migrations: one for each of them is what most of this file's time went to. */
async function makeTables(
  migrations: typeof env.TEST_MIGRATIONS,
  schema: readonly string[],
): Promise<void> {
  const last = migrations.at(-1);
  if (!last) return;
  const named = migrations
    .slice(0, -1)
    .map(({ name }) => `INSERT INTO d1_migrations (name) VALUES ('${name}')`);
  await applyD1Migrations(env.DB, [{ name: last.name, queries: [...schema, ...named] }]);
}
