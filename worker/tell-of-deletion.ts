import { isDatabaseDown } from "../storage/database-failure.ts";
import { publishSession, type SessionOfTenant } from "../storage/session-webhooks.ts";
import type { AppContext } from "./app-env.ts";
import { tenantOf } from "./principal.ts";

/**
 * Tells the tenant's webhook endpoints that a session was erased; once, however often the deletion is asked for. When
 * only the queue fails, the deliveries are in D1 and go out with the tenant's next one.
 * @throws when D1 fails: the deletion then has to be asked for again.
 */
export async function tellOfDeletion(
  context: AppContext,
  { deleted_at, ...session }: Omit<SessionOfTenant, "tenant_id"> & { readonly deleted_at: string },
): Promise<void> {
  const told = { tenant_id: tenantOf(context), ...session };
  try {
    await publishSession(context.env, "session.deleted", told, deleted_at);
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    console.warn("telling of session.deleted failed", { error: String(error) });
  }
}
