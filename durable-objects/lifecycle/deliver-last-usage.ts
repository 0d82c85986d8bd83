import { OUTBOX_DELIVERY_MS } from "../../protocol/operator/limits.ts";
import { deliverUsage, type UsageEntry } from "../../storage/outbox/usage-delivery.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";

/**
 * Delivers an erased session's last usage to D1, once: the object has nothing left to retry from, so usage that D1 does
 * not take now is not billed. Contract: never rejects.
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
