// Where a tenant's own systems post events, signed with a secret of the endpoint's own. The secret is in the answers
// to its creation and to a rotation, and nowhere else.
import { z } from "zod";

import { DEFAULT_ROTATION_OVERLAP_MS, MAX_ROTATION_OVERLAP_MS } from "../limits/authentication.ts";
import { NameSchema, TimestampSchema } from "./schemas/common.ts";
import { PostedEventSchema } from "./events.ts";

export const InboundEndpointCreateSchema = z.strictObject({ name: NameSchema });
export type InboundEndpointCreate = z.infer<typeof InboundEndpointCreateSchema>;

/** Rotating again ends the overlap of the rotation before: two secrets are believed at most. */
export const InboundSecretRotateSchema = z.strictObject({
  /** Milliseconds for which the old secret is believed too; 0 ends it at once. */
  overlap_ms: z
    .number()
    .int()
    .min(0)
    .max(MAX_ROTATION_OVERLAP_MS)
    .default(DEFAULT_ROTATION_OVERLAP_MS),
});
export type InboundSecretRotate = z.input<typeof InboundSecretRotateSchema>;

export const InboundEndpointSchema = z.object({
  id: z.string(),
  name: z.string(),
  created_at: TimestampSchema,
  /** Until when the secret before the last rotation is believed; null when there is none. */
  old_secret_expires_at: TimestampSchema.nullable(),
});
export type InboundEndpoint = z.infer<typeof InboundEndpointSchema>;

export const CreatedInboundEndpointSchema = InboundEndpointSchema.extend({ secret: z.string() });
export type CreatedInboundEndpoint = z.infer<typeof CreatedInboundEndpointSchema>;

/** The body of a signed webhook: an event as `POST …/events` takes it, and the session that it is for. */
export const InboundMessageSchema = z.strictObject({
  session_id: z.string().min(1).max(64),
  event: PostedEventSchema,
});
export type InboundMessage = z.input<typeof InboundMessageSchema>;
