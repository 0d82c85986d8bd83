import { OUTBOX_DELIVERY_MS } from "../../protocol/limits/outbox.ts";
import { deliverUsage, type UsageEntry } from "../../storage/outbox/usage-delivery.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";

/**
 * Tells D1 what an erased session has used. The object has nothing left to try it again from: what D1 does not take now
 * is not billed. Contract: never rejects.
 */
export async function deliverLastUsage(
  database: D1Database,
  entries: readonly UsageEntry[],
): Promise<void> {
  try {
    await withinDeadline(deliverUsage(database, entries), OUTBOX_DELIVERY_MS);
  } catch (error) {
    console.warn("the last usage of an erased session is lost", { error: String(error) });
  }
}
