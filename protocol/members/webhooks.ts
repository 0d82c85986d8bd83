// Webhook events of members.
import * as z from "zod";

import { TimestampSchema } from "../schemas/common.ts";
import { webhookEvent } from "../schemas/webhook-event.ts";
import { MemberRoleSchema } from "./roles.ts";

export const MEMBER_WEBHOOKS = [
  webhookEvent(
    "member.invited",
    {
      when: "a [member](members.md) was invited, or got a new link",
      data: "`member_id`, `role`, `link_expires_at`, `url` (null but for endpoints with `member_links`); of no session",
    },
    {
      member_id: z.string(),
      role: MemberRoleSchema,
      link_expires_at: TimestampSchema,
      /** The link, which signs a person in: null but for endpoints with `member_links`. */
      url: z.string().nullable(),
    },
  ),
] as const;
