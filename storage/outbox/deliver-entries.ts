import {
  deliverOutbox,
  isAnnouncementEntry,
  isReplyEntry,
  type OutboxDelivery,
} from "./deliver-outbox.ts";
import { publishAnnouncements } from "./publish-announcements.ts";
import { publishOutbox } from "./publish-outbox.ts";
import type { PublicUrlBindings } from "../webhooks/read-public-url.ts";
import {
  openEndpointsQuery,
  readOpenEndpoints,
  type EndpointRow,
} from "../webhooks/webhook-publisher.ts";

/**
 * Delivers a session's outbox entries: to D1 first, then to the tenant's webhook endpoints, which the same batch reads:
 * one round trip for a tenant without endpoints. Idempotent.
 * @throws when either fails; the same entries must then be delivered again.
 */
export async function deliverEntries(
  env: PublicUrlBindings & Pick<Env, "DB" | "WEBHOOK_QUEUE" | "KEY_PEPPER">,
  entries: readonly OutboxDelivery[],
): Promise<void> {
  const [first] = entries;
  if (!first) return;
  // All are of one session, and so of one tenant.
  const rows = await deliverOutbox<EndpointRow>(
    env.DB,
    entries,
    openEndpointsQuery(env.DB, first.tenant_id),
  );
  const endpoints = readOpenEndpoints(rows);
  if (endpoints.length === 0) return;
  await publishOutbox(env, endpoints, entries.filter(isReplyEntry));
  await publishAnnouncements(env, endpoints, entries.filter(isAnnouncementEntry));
}
