// The share of one end user within the quotas of a tenant. It binds what end users send themselves, with a JWT of a token
// issuer or a client token, and never an API key. The operator sets a tenant's share, a tenant that of an issuer.
import * as z from "zod";

import {
  DEFAULT_END_USER_RUNNING_REPLIES,
  DEFAULT_END_USER_SESSIONS,
  DEFAULT_END_USER_STORED_BYTES_PERCENT,
  MAX_QUOTA,
} from "./limits.ts";

const CountSchema = z.number().int().min(0).max(MAX_QUOTA);

/** Members that are null have no limit but the tenant's quota. */
export const EndUserShareSchema = z
  .object({
    /** Sessions with this end user, whoever opened them. */
    sessions: CountSchema.nullable(),
    /** Replies that run at a time in those sessions. */
    running_replies: CountSchema.nullable(),
    /** Bytes of those sessions and of the files that were uploaded for them, in percent of `stored_bytes`. */
    stored_bytes_percent: z.number().int().min(0).max(100).nullable(),
  })
  .meta({
    id: "EndUserShare",
    description: "What one end user may have within the tenant's quotas.",
  });
export type EndUserShare = z.infer<typeof EndUserShareSchema>;

/** Members that are left out stay as they are; null is no limit. */
export const EndUserShareChangeSchema = z.strictObject(EndUserShareSchema.partial().shape).meta({
  id: "EndUserShareUpdate",
  only: "request",
  description: "What is left out stays; null is no limit.",
});
export type EndUserShareChange = z.infer<typeof EndUserShareChangeSchema>;

export const DEFAULT_END_USER_SHARE: EndUserShare = {
  sessions: DEFAULT_END_USER_SESSIONS,
  running_replies: DEFAULT_END_USER_RUNNING_REPLIES,
  stored_bytes_percent: DEFAULT_END_USER_STORED_BYTES_PERCENT,
};

/** The names under which a refusal says that a share is used up. */
export const SHARE_QUOTAS = [
  "end_user_sessions",
  "end_user_running_replies",
  "end_user_stored_bytes",
] as const;
export type ShareQuota = (typeof SHARE_QUOTAS)[number];

export function isShareQuota(name: string): name is ShareQuota {
  return SHARE_QUOTAS.some((quota) => quota === name);
}

/** The share with the members that a change names. */
export function changeShare(share: EndUserShare, change: EndUserShareChange): EndUserShare {
  const {
    sessions = share.sessions,
    running_replies = share.running_replies,
    stored_bytes_percent = share.stored_bytes_percent,
  } = change;
  return { sessions, running_replies, stored_bytes_percent };
}

/** The bytes of a share; null for no limit. @param storedBytes The tenant's quota. */
export function shareOfBytes(
  { stored_bytes_percent }: Pick<EndUserShare, "stored_bytes_percent">,
  storedBytes: number,
): number | null {
  return stored_bytes_percent === null
    ? null
    : Math.floor((storedBytes / 100) * stored_bytes_percent);
}

/** The limits of one end user as a tenant has them, and what the end user uses of them. */
export const EndUserLimitsSchema = z.object({
  end_user_id: z.string(),
  limits: z.object({
    sessions: CountSchema.nullable(),
    running_replies: CountSchema.nullable(),
    stored_bytes: CountSchema.nullable(),
  }),
  used: z.object({
    sessions: CountSchema,
    running_replies: CountSchema,
    stored_bytes: CountSchema,
  }),
});
export type EndUserLimits = z.infer<typeof EndUserLimitsSchema>;
