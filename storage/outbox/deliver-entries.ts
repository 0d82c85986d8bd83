import type { OutboxEntry } from "./deliver-outbox.ts";
import { deliverOutbox } from "./deliver-outbox.ts";
import { publishOutbox } from "./publish-outbox.ts";
import type { PublicUrlBindings } from "../webhooks/read-public-url.ts";

/**
 * Everything that an outbox's entries are for: D1 first, then whoever wants to hear of it.
 * @throws when either fails; delivering the same entries again does nothing twice.
 */
export async function deliverEntries(
  env: PublicUrlBindings & Pick<Env, "DB" | "WEBHOOK_QUEUE" | "KEY_PEPPER">,
  entries: readonly OutboxEntry[],
): Promise<void> {
  await deliverOutbox(env.DB, entries);
  await publishOutbox(env, entries);
}
