import type { WebhookEvent } from "../../protocol/webhooks/webhook-events.ts";
import { stableId } from "../statements/stable-id.ts";
import {
  publishTo,
  type OpenEndpoint,
  type WebhookBindings,
} from "../webhooks/webhook-publisher.ts";
import type { AnnouncementEntry } from "./deliver-outbox.ts";

/**
 * Publishes what abilities announce to those of the endpoints that are subscribed. The id of a message is derived from its
 * entry, so that a repetition publishes nothing twice.
 * @throws when D1 or the queue fails; the entries must then be delivered again.
 */
export async function publishAnnouncements(
  env: WebhookBindings,
  endpoints: readonly OpenEndpoint[],
  entries: readonly AnnouncementEntry[],
): Promise<void> {
  // All are of one session, and so of one tenant.
  const [first] = entries;
  if (!first) return;
  const messages = await Promise.all(
    entries.map(async ({ tenant_id: _, entry, at, announcement, ...owner }) => {
      const { type, data } = announcement;
      const event = { type, timestamp: at, data: { ...owner, cursor: entry, ...data } };
      const id = await stableId("whm", Date.parse(at), `${owner.session_id}:${entry}:${type}`);
      // The compiler does not see that type and data are of the same member of the union.
      return { id, event: event as WebhookEvent };
    }),
  );
  await publishTo(endpoints, env, first.tenant_id, messages);
}
