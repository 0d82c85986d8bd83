import type { OperatorHealth } from "../../protocol/operator/contract.ts";
import {
  type TenantActivities,
  TenantActivityQuerySchema,
} from "../../protocol/operator/tenant-activity.ts";
import { HEALTH_TIMEOUT_MS } from "../../protocol/requests/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { readHealth } from "../../storage/operator/read-health.ts";
import { readTenantActivity as readSums } from "../../storage/operator/read-tenant-activity.ts";
import type { RouteHandler } from "../app-env.ts";
import { checkReadiness } from "../configuration/check-readiness.ts";
import { nowTimestamp } from "../new-id.ts";
import { tenantStub } from "../objects/tenant-stub.ts";
import { readQuery } from "../requests/read-query.ts";

const NOTHING = { queues: null, activity: null, tenants: null } as const;

/** Answers also while D1 or R2 is down, which is then part of the report. */
const readOperatorHealth: RouteHandler = async (context) => {
  const { env } = context;
  const nowMs = Date.now();
  const [readiness, database, files] = await Promise.all([
    checkReadiness(env),
    reach("D1", () => readHealth(env.DB, nowMs)),
    reach("R2", () => env.FILES.head("health")),
  ]);
  const isWhole = readiness.status === "ready" && database.status === "ok" && files.status === "ok";
  const { value, ...reached } = database;
  const health: OperatorHealth = {
    status: isWhole ? "ok" : "degraded",
    checked_at: new Date(nowMs).toISOString(),
    readiness,
    database: reached,
    files: { status: files.status, ms: files.ms },
    ...(value ?? NOTHING),
  };
  return context.json(health, 200, { "Cache-Control": "no-store" });
};

interface Reached<Value> {
  readonly status: "ok" | "failed";
  readonly ms: number;
  readonly value?: Value;
}

/** Contract: never rejects. */
async function reach<Value>(what: string, work: () => Promise<Value>): Promise<Reached<Value>> {
  const startMs = Date.now();
  try {
    const value = await withinDeadline(work(), HEALTH_TIMEOUT_MS);
    return { status: "ok", ms: Date.now() - startMs, value };
  } catch (error) {
    console.warn(`health: ${what} does not answer`, { error: String(error) });
    return { status: "failed", ms: Date.now() - startMs };
  }
}

/** Sums of the day from D1; what runs is counted by the tenants' objects, by leases. */
const readTenantActivity: RouteHandler = async (context) => {
  const { env } = context;
  const { tenant_ids } = readQuery(context, TenantActivityQuerySchema);
  const day = nowTimestamp().slice(0, "YYYY-MM-DD".length);
  const sums = await readSums(env.DB, [...new Set(tenant_ids)], day);
  const running = await Promise.all(sums.map(({ tenant_id }) => countRunning(env, tenant_id)));
  const data = sums.map((one, index) => ({ ...one, running_replies: running[index] ?? null }));
  return context.json({ day, data } satisfies TenantActivities, 200, {
    "Cache-Control": "no-store",
  });
};

/** Contract: never rejects. Null while the tenant's object does not answer. */
async function countRunning(env: Env, tenantId: string): Promise<number | null> {
  try {
    const use = await withinDeadline(tenantStub(env, tenantId).readUse(), HEALTH_TIMEOUT_MS);
    return use.running_replies;
  } catch (error) {
    console.warn("activity: a tenant's object does not answer", { error: String(error) });
    return null;
  }
}

export const operatorRoutes = { readOperatorHealth, readTenantActivity };
