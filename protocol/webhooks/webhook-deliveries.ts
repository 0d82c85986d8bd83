// Webhook deliveries: one message to one endpoint with its attempts. Stored for a month.
import * as z from "zod";

import { WEBHOOK_EVENT_TYPES, WebhookEventSchema } from "./webhook-events.ts";
import { PageQuerySchema, TimestampSchema, pageOf } from "../schemas/common.ts";

/** `pending` also covers the time between attempts. @public */
export const WebhookDeliveryStatusSchema = z.enum(["pending", "delivered", "failed"]);
export type WebhookDeliveryStatus = z.infer<typeof WebhookDeliveryStatusSchema>;

const WebhookEventTypeSchema = z.enum(WEBHOOK_EVENT_TYPES);

export const WebhookDeliverySchema = z
  .object({
    id: z.string(),
    endpoint_id: z.string(),
    /** The header `webhook-id`: the same for every endpoint and every attempt. */
    message_id: z.string(),
    type: WebhookEventTypeSchema,
    status: WebhookDeliveryStatusSchema,
    attempt_count: z.number().int().nonnegative(),
    next_attempt_at: TimestampSchema.nullable(),
    created_at: TimestampSchema,
    finished_at: TimestampSchema.nullable(),
  })
  .meta({
    id: "WebhookDelivery",
    description: "The delivery of one message to one endpoint, with its status.",
  });
export type WebhookDelivery = z.infer<typeof WebhookDeliverySchema>;

/** @public */
export const WebhookAttemptSchema = z
  .object({
    /** Starts at 1 and continues over redeliveries. */
    attempt: z.number().int().positive(),
    at: TimestampSchema,
    /** HTTP status of the answer; null when there was none. */
    status: z.number().int().nullable(),
    /** The reason that the attempt failed; null when it succeeded. */
    error: z.string().nullable(),
    duration_ms: z.number().int().nonnegative(),
  })
  .meta({ id: "WebhookAttempt", description: "One request to the endpoint." });
export type WebhookAttempt = z.infer<typeof WebhookAttemptSchema>;

/** One delivery with all attempts, oldest first, and the body without the secret of its callback URL or link. */
export const ReadWebhookDeliverySchema = WebhookDeliverySchema.extend({
  payload: WebhookEventSchema,
  attempts: z.array(WebhookAttemptSchema),
}).meta({ id: "ReadWebhookDelivery", description: "A delivery with its body and its attempts." });
export type ReadWebhookDelivery = z.infer<typeof ReadWebhookDeliverySchema>;

export const WebhookDeliveryListQuerySchema = PageQuerySchema.extend({
  status: WebhookDeliveryStatusSchema.optional(),
  type: WebhookEventTypeSchema.optional(),
});
export type WebhookDeliveryListQuery = z.infer<typeof WebhookDeliveryListQuerySchema>;

export const WebhookDeliveryPageSchema = pageOf(WebhookDeliverySchema).meta({
  id: "WebhookDeliveryPage",
});
