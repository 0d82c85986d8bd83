// Which schemas have a name in the document. What is named is written once and referred to; the same schema has a
// second name for requests where it takes less there than it gives back.
import type { z } from "zod";

import * as deliveries from "../protocol/api/webhooks/webhook-deliveries.ts";
import * as endpoints from "../protocol/api/webhooks/webhook-endpoints.ts";
import * as webhookPages from "../protocol/api/answers/webhook-responses.ts";
import { WebhookCallSchema, WebhookEventSchema } from "../protocol/api/webhooks/webhook-events.ts";

export const ANSWER_SCHEMAS = {
  WebhookEndpoint: endpoints.WebhookEndpointSchema,
  CreatedWebhookEndpoint: endpoints.CreatedWebhookEndpointSchema,
  WebhookEndpointPage: webhookPages.WebhookEndpointPageSchema,
  WebhookFilter: endpoints.WebhookFilterSchema,
  CallbackVerb: endpoints.CallbackVerbSchema,
  WebhookDelivery: deliveries.WebhookDeliverySchema,
  ReadWebhookDelivery: deliveries.ReadWebhookDeliverySchema,
  WebhookDeliveryPage: webhookPages.WebhookDeliveryPageSchema,
  WebhookAttempt: deliveries.WebhookAttemptSchema,
  WebhookEvent: WebhookEventSchema,
  WebhookCall: WebhookCallSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** A name that stands in both tables has to mean the same in both. */
export const REQUEST_SCHEMAS = {
  WebhookEndpointCreate: endpoints.WebhookEndpointCreateSchema,
  WebhookEndpointUpdate: endpoints.WebhookEndpointUpdateSchema,
  WebhookSecretRotate: endpoints.WebhookSecretRotateSchema,
  WebhookFilter: endpoints.WebhookFilterSchema,
  CallbackVerb: endpoints.CallbackVerbSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;
