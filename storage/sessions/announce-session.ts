// Publishes `session.created`. A session is created in its object first and then listed in D1; the event follows the
// second step.
import { publishSession, type SessionOfTenant } from "./publish-session.ts";
import type { WebhookBindings } from "../webhooks/webhook-publisher.ts";

/**
 * Publishes the event for a session that D1 lists. Idempotent.
 * @returns false when D1 does not list the session; then nothing is published.
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
