// Usage of the model calls of consolidations: counted with the job, and told to D1, where it is a row of its own.
import { addUsage } from "../../protocol/fold/add-usage.ts";
import type { UsedAside } from "../../agent/memory/ask-aside.ts";
import { CONSOLIDATION_CHECK_MS } from "../../protocol/memory/limits.ts";
import { NANODOLLARS } from "../../protocol/schemas/money.ts";
import { deliverStoreUsage } from "../../storage/outbox/usage-delivery.ts";
import type { StoredConsolidation } from "./consolidation-rows.ts";
import type { ConsolidatedStore } from "./consolidated-store.ts";

/**
 * Tells D1 what jobs have used; later again where that fails. The timer of its own is set in the commit in which a job has used
 * something, and that of the size does not clear it. Contract: never rejects.
 */
export async function tellUsage({
  env,
  tables,
  jobs,
  timers,
}: Pick<ConsolidatedStore, "env" | "tables" | "jobs" | "timers">): Promise<void> {
  const { store } = tables;
  if (!store) return;
  const { tenant_id, agent_id } = store.owner;
  try {
    for (const { id, calls, used, request } of jobs.untold()) {
      await deliverStoreUsage(env.DB, {
        store_id: store.store_id,
        tenant_id,
        agent_id,
        reply_id: id,
        entry: calls,
        at: new Date().toISOString(),
        usage: used?.usage ?? null,
        cost: used?.cost ?? null,
        model_name: request.model_name,
      });
      // Erased meanwhile.
      if (!tables.store) return;
      jobs.setTold(id, calls);
    }
    // A job may have used more meanwhile.
    if (jobs.untold().length === 0) timers.clear("usage");
  } catch (error) {
    console.warn("memory: the usage of a consolidation could not be stored; it will", {
      error: String(error),
    });
    timers.set("usage", Date.now() + CONSOLIDATION_CHECK_MS);
  }
}

/** One that has answered without usage, or not at all, counts as none. */
export function withUsed(
  job: StoredConsolidation,
  { usage, cost_usd }: UsedAside,
): StoredConsolidation {
  if (usage === null) return job;
  const { used } = job;
  const cost = cost_usd === null ? null : Math.round(cost_usd * NANODOLLARS);
  const before = used === null ? 0 : used.cost;
  return {
    ...job,
    calls: job.calls + 1,
    used: {
      usage: used ? addUsage(used.usage, usage) : usage,
      cost: before === null || cost === null ? null : before + cost,
    },
  };
}

export function tokensOf(used: StoredConsolidation["used"]): number {
  return used ? used.usage.input_tokens + used.usage.output_tokens : 0;
}
