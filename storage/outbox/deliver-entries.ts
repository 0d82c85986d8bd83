import { deliverOutbox, isPlanEntry, isReplyEntry, type OutboxDelivery } from "./deliver-outbox.ts";
import { publishOutbox } from "./publish-outbox.ts";
import { publishPlans } from "./publish-plans.ts";
import type { PublicUrlBindings } from "../webhooks/read-public-url.ts";

/**
 * Delivers a session's outbox entries: to D1 first, then to the tenant's webhook endpoints. Idempotent.
 * @throws when either fails; the same entries must then be delivered again.
 */
export async function deliverEntries(
  env: PublicUrlBindings & Pick<Env, "DB" | "WEBHOOK_QUEUE" | "KEY_PEPPER">,
  entries: readonly OutboxDelivery[],
): Promise<void> {
  await deliverOutbox(env.DB, entries);
  await publishOutbox(env, entries.filter(isReplyEntry));
}
