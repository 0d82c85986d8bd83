import type { OperatorHealth } from "../../protocol/operator/contract.ts";
import { HEALTH_TIMEOUT_MS } from "../../protocol/requests/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { readHealth } from "../../storage/operator/read-health.ts";
import type { RouteHandler } from "../app-env.ts";
import { checkReadiness } from "../configuration/check-readiness.ts";

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

export const operatorRoutes = { readOperatorHealth };
