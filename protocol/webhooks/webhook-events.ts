// Events of outgoing webhooks: `{type, timestamp, data}`. Deliberately thin: ids and states, no text and no inputs, so
// that a receiver reads the API with its own rights. Receivers ignore unknown types and members. A concept has those of its
// own in its `webhooks.ts`.
import * as z from "zod";

import { MEMBER_WEBHOOKS } from "../members/webhooks.ts";
import { CONNECTION_WEBHOOKS } from "../mcp/webhooks.ts";
import { BACKGROUND_WEBHOOKS } from "../background/webhooks.ts";
import { PLAN_WEBHOOKS } from "../plans/webhooks.ts";
import { REPLY_WEBHOOKS } from "../replies/webhooks.ts";
import { TimestampSchema } from "../schemas/common.ts";
import { webhookEvent } from "../schemas/webhook-event.ts";
import { SESSION_WEBHOOKS } from "../sessions/webhooks.ts";
import { TRIGGER_WEBHOOKS } from "../triggers/webhooks.ts";

/** All event types with their data. */
export const WebhookEventSchema = z
  .discriminatedUnion("type", [
    ...REPLY_WEBHOOKS,
    ...PLAN_WEBHOOKS,
    ...BACKGROUND_WEBHOOKS,
    ...CONNECTION_WEBHOOKS,
    ...SESSION_WEBHOOKS,
    ...MEMBER_WEBHOOKS,
    ...TRIGGER_WEBHOOKS,
    webhookEvent(
      "webhook_endpoint.disabled",
      {
        when: "the platform has disabled another endpoint of the tenant",
        data: "only `endpoint_id`, `reason`, `disabled_at`, and none of the common members",
      },
      {
        endpoint_id: z.string(),
        reason: z.enum(["gone", "failing"]),
        disabled_at: TimestampSchema,
      },
    ),
    /** Sent to one endpoint on request, whatever it is subscribed to. */
    webhookEvent(
      "webhook_endpoint.test",
      {
        when: "a test was asked for",
        data: "only `endpoint_id`, and none of the common members",
      },
      { endpoint_id: z.string() },
    ),
  ])
  .meta({
    id: "WebhookEvent",
    description:
      "The body of a message: ids and states, no content. Ignore unknown types and members.",
  });
export type WebhookEvent = z.infer<typeof WebhookEventSchema>;
export type WebhookEventType = WebhookEvent["type"];
/** An event of one type. */
export type WebhookEventOf<Type extends WebhookEventType> = Extract<WebhookEvent, { type: Type }>;

export const WEBHOOK_EVENT_TYPES = WebhookEventSchema.options.map(
  (option) => option.shape.type.value,
) as [WebhookEventType, ...WebhookEventType[]];
