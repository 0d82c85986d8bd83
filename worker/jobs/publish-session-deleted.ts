import { isDatabaseDown, isStorageDown } from "../../storage/statements/database-failure.ts";
import { publishSession, type SessionOfTenant } from "../../storage/sessions/publish-session.ts";
import type { WebhookBindings } from "../../storage/webhooks/webhook-publisher.ts";

/**
 * Publishes `session.deleted` to the tenant's webhook endpoints, once however often the deletion is requested. When
 * only the queue fails, the deliveries are in D1, where the cron sweep finds them.
 * @throws when D1 fails: the deletion must then be continued later.
 */
export async function publishSessionDeleted(
  env: WebhookBindings,
  { deleted_at, ...session }: SessionOfTenant & { readonly deleted_at: string },
): Promise<void> {
  try {
    await publishSession(env, "session.deleted", session, deleted_at);
  } catch (error) {
    if (isDatabaseDown(error) || isStorageDown(error)) throw error;
    console.warn("webhooks: failed to enqueue session.deleted; the cron sweep will retry", {
      error: String(error),
    });
  }
}
