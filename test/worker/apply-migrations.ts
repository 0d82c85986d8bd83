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
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
