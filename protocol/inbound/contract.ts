// Inbound endpoints: URLs to which a tenant's systems post events, signed with the endpoint's own secret. Only the
// answers to creation and rotation contain the secret.
import * as z from "zod";

import { RotationOverlapSchema } from "../keys/contract.ts";
import { NameSchema, TimestampSchema, pageOf } from "../schemas/common.ts";
import { PostedEventSchema } from "../events/contract.ts";

export const InboundEndpointCreateSchema = z.strictObject({ name: NameSchema }).meta({
  id: "InboundEndpointCreate",
  description: "A new endpoint; its secret is made by the platform.",
});
export type InboundEndpointCreate = z.infer<typeof InboundEndpointCreateSchema>;

/** Rotating again ends the previous overlap: at most two secrets are accepted. */
export const InboundSecretRotateSchema = z
  .strictObject({
    overlap_ms: RotationOverlapSchema,
  })
  .meta({ id: "InboundSecretRotate", description: "How long the old secret stays valid." });
export type InboundSecretRotate = z.input<typeof InboundSecretRotateSchema>;

export const InboundEndpointSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: TimestampSchema,
    /** Expiry of the secret before the last rotation; null when there is none. */
    old_secret_expires_at: TimestampSchema.nullable(),
  })
  .meta({
    id: "InboundEndpoint",
    description: "An address where one of the tenant's own systems posts signed events.",
  });
export type InboundEndpoint = z.infer<typeof InboundEndpointSchema>;

export const CreatedInboundEndpointSchema = InboundEndpointSchema.extend({
  secret: z.string(),
}).meta({ id: "CreatedInboundEndpoint", description: "The one answer that shows the secret." });
export type CreatedInboundEndpoint = z.infer<typeof CreatedInboundEndpointSchema>;

/** The body of a signed webhook: the session's id and an event as for `POST …/events`. */
export const InboundMessageSchema = z
  .strictObject({
    session_id: z.string().min(1).max(64),
    event: PostedEventSchema,
  })
  .meta({ id: "InboundMessage", description: "The body of a signed webhook." });

export const InboundEndpointPageSchema = pageOf(InboundEndpointSchema).meta({
  id: "InboundEndpointPage",
});
