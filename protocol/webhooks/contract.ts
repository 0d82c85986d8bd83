// Webhook endpoints: a tenant's URLs to which events are sent. Only the answers to creation and rotation contain an
// endpoint's secret.
import * as z from "zod";

import { RotationOverlapSchema } from "../keys/contract.ts";
import { MAX_WEBHOOK_DESCRIPTION_CHARACTERS, MAX_WEBHOOK_URL_CHARACTERS } from "./limits.ts";
import { WEBHOOK_EVENT_TYPES } from "./webhook-events.ts";
import { WEBHOOK_WILDCARDS } from "./webhook-filter.ts";
import { VerbSchema } from "../client-tokens/contract.ts";
import { TimestampSchema, pageOf } from "../schemas/common.ts";
import { WarningSchema } from "../warning.ts";

/** An event type, a group as `group.*`, or `*` for all. @public */
export const WebhookFilterSchema = z
  .enum([...WEBHOOK_EVENT_TYPES, ...WEBHOOK_WILDCARDS])
  .meta({ id: "WebhookFilter", description: "A type of event, all of a group, or all." });

/** Rights of the endpoint's callback URLs: confirm calls, edit their inputs, give results. @public */
export const CallbackVerbSchema = VerbSchema.extract(["confirm", "edit", "tool_result"]).meta({
  id: "CallbackVerb",
  description:
    "What a callback address allows: to confirm or deny calls (`confirm`), to change the input of confirmed ones (`edit`, with `confirm`), to post results (`tool_result`).",
});
export type CallbackVerb = z.infer<typeof CallbackVerbSchema>;

export const DEFAULT_CALLBACK_VERBS: readonly CallbackVerb[] = ["confirm", "tool_result"];

/**
 * The allowed targets depend on the environment and are checked by the Worker: https, or loopback on a local platform.
 */
const url = z.url().max(MAX_WEBHOOK_URL_CHARACTERS);
const description = z.string().trim().min(1).max(MAX_WEBHOOK_DESCRIPTION_CHARACTERS);
const events = z
  .array(WebhookFilterSchema)
  .min(1)
  .max(WEBHOOK_EVENT_TYPES.length + WEBHOOK_WILDCARDS.length);
/** Empty: messages carry no callback URL. */
const callbackVerbs = z.array(CallbackVerbSchema).max(CallbackVerbSchema.options.length);

export const WebhookEndpointCreateSchema = z
  .strictObject({
    url,
    description: description.optional(),
    events,
    callback_verbs: callbackVerbs.default([...DEFAULT_CALLBACK_VERBS]),
    /** `member.invited` has the link; whoever sets it needs `members:write`. */
    member_links: z.boolean().default(false),
    /** A disabled endpoint receives nothing, and events during that time are not sent later. */
    disabled: z.boolean().default(false),
  })
  .meta({ id: "WebhookEndpointCreate", description: "A new endpoint." });
export type WebhookEndpointCreate = z.input<typeof WebhookEndpointCreateSchema>;

/** Members that are left out stay unchanged. `disabled: false` also resets the failure period. */
export const WebhookEndpointUpdateSchema = z
  .strictObject({
    url: url.optional(),
    description: description.nullable().optional(),
    events: events.optional(),
    /** URLs that were sent before keep their rights. */
    callback_verbs: callbackVerbs.optional(),
    member_links: z.boolean().optional(),
    disabled: z.boolean().optional(),
  })
  .meta({ id: "WebhookEndpointUpdate", description: "Members that are left out do not change." });
export type WebhookEndpointUpdate = z.infer<typeof WebhookEndpointUpdateSchema>;

/** Rotating again ends the previous overlap: at most two secrets sign. */
export const WebhookSecretRotateSchema = z
  .strictObject({
    overlap_ms: RotationOverlapSchema,
  })
  .meta({ id: "WebhookSecretRotate" });
export type WebhookSecretRotate = z.input<typeof WebhookSecretRotateSchema>;

export const WebhookEndpointSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(WebhookFilterSchema),
    callback_verbs: z.array(CallbackVerbSchema),
    member_links: z.boolean(),
    disabled: z.boolean(),
    disabled_at: TimestampSchema.nullable(),
    /** `tenant`: by a request; `gone`: the receiver answered 410; `failing`: no delivery succeeded for five days. */
    disabled_reason: z.enum(["tenant", "gone", "failing"]).nullable(),
    /** Time of the first failed attempt since the last successful one. */
    failing_since: TimestampSchema.nullable(),
    /**
     * Circuit breaker. `open`: the receiver fails, nothing is sent. `half_open` from `circuit_retry_at` on: one attempt
     * is made, whose outcome closes or reopens the circuit.
     */
    circuit: z.enum(["closed", "open", "half_open"]),
    circuit_retry_at: TimestampSchema.nullable(),
    created_at: TimestampSchema,
    updated_at: TimestampSchema,
    /** Expiry of the secret before the last rotation; null when there is none. */
    old_secret_expires_at: TimestampSchema.nullable(),
  })
  .meta({
    id: "WebhookEndpoint",
    description: "An address to which the platform posts events, without its secret.",
  });
export type WebhookEndpoint = z.infer<typeof WebhookEndpointSchema>;

/** The answer to a write. */
export const WrittenWebhookEndpointSchema = WebhookEndpointSchema.extend({
  /** Left out when there are none. */
  warnings: z.array(WarningSchema).optional(),
}).meta({
  id: "WrittenWebhookEndpoint",
  description: "An endpoint as a write has left it, and what is odd about it.",
});
export type WrittenWebhookEndpoint = z.infer<typeof WrittenWebhookEndpointSchema>;

/** The answer to a creation or a rotation, the only ones that contain the secret. */
export const CreatedWebhookEndpointSchema = WrittenWebhookEndpointSchema.extend({
  secret: z.string(),
}).meta({
  id: "CreatedWebhookEndpoint",
  description: "The one answer that shows the endpoint's secret.",
});
export type CreatedWebhookEndpoint = z.infer<typeof CreatedWebhookEndpointSchema>;

export const WebhookEndpointPageSchema = pageOf(WebhookEndpointSchema).meta({
  id: "WebhookEndpointPage",
});
