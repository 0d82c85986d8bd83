import { stableId } from "../statements/stable-id.ts";
import {
  publishTo,
  type OpenEndpoint,
  type WebhookBindings,
} from "../webhooks/webhook-publisher.ts";
import type { PlanEntry } from "./deliver-outbox.ts";

/**
 * Publishes `plan.updated` for a session's entries to those of the endpoints that are subscribed. The id of a message is derived from its entry, so that a repetition publishes nothing twice.
 * @throws when D1 or the queue fails; the entries must then be delivered again.
 */
export async function publishPlans(
  env: WebhookBindings,
  endpoints: readonly OpenEndpoint[],
  entries: readonly PlanEntry[],
): Promise<void> {
  // All are of one session, and so of one tenant.
  const [first] = entries;
  if (!first) return;
  const messages = await Promise.all(
    entries.map(async ({ tenant_id: _, entry, at, plan, ...owner }) => ({
      id: await stableId("whm", Date.parse(at), `${owner.session_id}:${entry}:plan.updated`),
      event: {
        type: "plan.updated" as const,
        timestamp: at,
        data: { ...owner, cursor: entry, ...plan },
      },
    })),
  );
  await publishTo(endpoints, env, first.tenant_id, messages);
}
