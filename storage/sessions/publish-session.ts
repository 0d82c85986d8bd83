import type { WebhookEvent } from "../../protocol/webhooks/webhook-events.ts";
import { stableId } from "../statements/stable-id.ts";
import type { WebhookBindings } from "../webhooks/webhook-publisher.ts";
import { publishWebhooks } from "../webhooks/webhook-publisher.ts";

export interface SessionOfTenant {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly end_user_id: string | null;
}

/**
 * Publishes that a session was created or deleted to the tenant's webhook endpoints. Idempotent per session and type.
 */
export async function publishSession(
  env: WebhookBindings,
  type: "session.created" | "session.deleted",
  { tenant_id, session_id, agent_id, end_user_id }: SessionOfTenant,
  timestamp: string,
): Promise<void> {
  const data = { session_id, agent_id, end_user_id };
  const id = await stableId("whm", Date.parse(timestamp), `${session_id}:${type}`);
  const event: WebhookEvent = { type, timestamp, data };
  await publishWebhooks(env, tenant_id, [{ id, event }]);
}
