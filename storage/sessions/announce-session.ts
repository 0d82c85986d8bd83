// A session begins with its object; D1 lists it a moment later. What stands between the two may die.
import { publishSession, type SessionOfTenant } from "./publish-session.ts";
import type { WebhookBindings } from "../webhooks/webhook-publisher.ts";

/**
 * Tells the tenant's endpoints of a session that D1 lists; once, however often it is called.
 * @returns false when D1 does not list it, and then nobody is told.
 * @throws when D1 or the queue fails.
 */
export async function announceSession(
  env: WebhookBindings,
  session: SessionOfTenant,
  createdAt: string,
): Promise<boolean> {
  const row = await env.DB.prepare("SELECT 1 FROM sessions WHERE id = ?1 AND tenant_id = ?2")
    .bind(session.session_id, session.tenant_id)
    .first();
  if (!row) return false;
  await publishSession(env, "session.created", session, createdAt);
  return true;
}
