import type { Member } from "../../protocol/members/contract.ts";
import { stableId } from "../statements/stable-id.ts";
import { publishWebhooks, type WebhookBindings } from "./webhook-publisher.ts";

/** Publishes `member.invited`, with the link for endpoints that may have it. @throws when D1 or the queue fails. */
export async function announceMemberLink(
  env: WebhookBindings,
  { id: member_id, tenant_id, role, link_expires_at }: Member,
  url: string,
): Promise<void> {
  if (link_expires_at === null) return;
  const timestamp = new Date().toISOString();
  const id = await stableId("whm", Date.parse(timestamp), `${member_id}:${link_expires_at}`);
  const data = { member_id, role, link_expires_at };
  const event = { type: "member.invited", timestamp, data: { ...data, url: null } } as const;
  await publishWebhooks(env, tenant_id, [
    {
      id,
      event,
      eventFor: ({ member_links }) => (member_links ? { ...event, data: { ...data, url } } : event),
    },
  ]);
}
