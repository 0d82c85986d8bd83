// Whether the deployment can serve requests: its configuration, its database and its objects.
import type {
  CheckResult,
  ConfigurationGap,
  Readiness,
  ReadinessCheck,
} from "../../protocol/operator/readiness.ts";
import { READINESS_CACHE_MS, READINESS_TIMEOUT_MS } from "../../protocol/requests/limits.ts";
import { missingMigrations } from "../../storage/tables/missing-migrations.ts";
import { tenantStub } from "../objects/tenant-stub.ts";
import { cardKeyGaps } from "./card-key-gaps.ts";
import { bindingGaps, rateLimitGaps, secretGaps, variableGaps } from "./configuration-gaps.ts";

interface Kept {
  readonly untilMs: number;
  readonly readiness: Promise<Readiness>;
}

/** By the isolate's `env`. Concurrent requests share one check, so that a flood of them costs D1 nothing. */
const kept = new WeakMap<Env, Kept>();

/**
 * The result of the last check when it is younger than `READINESS_CACHE_MS`, else of a new one. Takes
 * `READINESS_TIMEOUT_MS` at most. Contract: never rejects.
 */
export function checkReadiness(env: Env): Promise<Readiness> {
  const nowMs = Date.now();
  const last = kept.get(env);
  if (last && nowMs < last.untilMs) return last.readiness;
  const readiness = check(env);
  kept.set(env, { untilMs: nowMs + READINESS_CACHE_MS, readiness });
  return readiness;
}

async function check(env: Env): Promise<Readiness> {
  const [migrations, objects] = await Promise.all([migrationGaps(env), objectGaps(env)]);
  const gaps: Readonly<Record<ReadinessCheck, readonly ConfigurationGap[]>> = {
    secrets: [...secretGaps(env), ...cardKeyGaps(env)],
    variables: variableGaps(env),
    bindings: bindingGaps(env),
    rate_limits: rateLimitGaps(env),
    database: migrations,
    objects,
  };
  const checks = Object.fromEntries(
    Object.entries(gaps).map(([name, { length }]) => [name, length === 0 ? "ok" : "failed"]),
  ) as Record<ReadinessCheck, CheckResult>;
  const missing = Object.values(gaps).flat();
  return { status: missing.length === 0 ? "ready" : "not_ready", checks, missing };
}

async function migrationGaps(env: Partial<Env>): Promise<readonly ConfigurationGap[]> {
  // Named by the check of the bindings.
  if (!env.DB) return [];
  const docs = "/docs/deploy#migrations";
  const names = await withinTimeout(missingMigrations(env.DB), "D1");
  if (names === null) {
    const fix = 'npx wrangler d1 execute DB --remote --command "SELECT 1"';
    return [{ name: "DB", problem: "does not answer", fix, docs: "/docs/deploy#databases" }];
  }
  const fix = "npx wrangler d1 migrations apply DB --remote";
  return names.map((name) => ({ name, problem: "is a migration not applied", fix, docs }));
}

async function objectGaps(env: Partial<Env>): Promise<readonly ConfigurationGap[]> {
  const { TENANT } = env;
  if (!TENANT) return [];
  // No tenant has this id: the object has empty tables and nothing else, made by the first check.
  if ((await withinTimeout(readObject(TENANT), "a tenant's object")) !== null) return [];
  const docs = "/docs/deploy#durable-objects";
  return [{ name: "TENANT", problem: "does not answer", fix: "npx wrangler tail", docs }];
}

async function readObject(namespace: Env["TENANT"]): Promise<unknown> {
  return tenantStub({ TENANT: namespace }, "readyz").readUse();
}

/** Null when the work fails or takes too long. Contract: never rejects. */
async function withinTimeout<Value>(work: Promise<Value>, what: string): Promise<Value | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const error = new Error(`no answer within ${READINESS_TIMEOUT_MS} ms`);
    timer = setTimeout(() => reject(error), READINESS_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, timeout]);
  } catch (error) {
    console.warn(`readiness: ${what} does not answer`, { error: String(error) });
    return null;
  } finally {
    clearTimeout(timer);
  }
}
