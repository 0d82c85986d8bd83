// Where a tenant wants to hear of events. An endpoint's secret is in the answers of its creation and of a rotation
// and nowhere else.
import { z } from "zod";

import {
  DEFAULT_ROTATION_OVERLAP_MS,
  MAX_ROTATION_OVERLAP_MS,
} from "../../limits/authentication.ts";
import {
  MAX_WEBHOOK_DESCRIPTION_CHARACTERS,
  MAX_WEBHOOK_URL_CHARACTERS,
} from "../../limits/webhooks.ts";
import { WEBHOOK_EVENT_TYPES } from "./webhook-events.ts";
import { WEBHOOK_WILDCARDS } from "./webhook-filter.ts";
import { VerbSchema } from "../client-tokens.ts";
import { TimestampSchema } from "../schemas/common.ts";

/** A type of event, all of a group, or all. */
export const WebhookFilterSchema = z.enum([...WEBHOOK_EVENT_TYPES, ...WEBHOOK_WILDCARDS]);
export type WebhookFilter = z.infer<typeof WebhookFilterSchema>;

/** What its callback addresses may do: allow calls, change the inputs of those that they allow, give results. */
export const CallbackVerbSchema = VerbSchema.extract(["confirm", "edit", "tool_result"]);
export type CallbackVerb = z.infer<typeof CallbackVerbSchema>;

export const DEFAULT_CALLBACK_VERBS: readonly CallbackVerb[] = ["confirm", "tool_result"];

/** Where it may lead is decided with the environment at hand: https, and on a local platform this machine. */
const url = z.url().max(MAX_WEBHOOK_URL_CHARACTERS);
const description = z.string().trim().min(1).max(MAX_WEBHOOK_DESCRIPTION_CHARACTERS);
const events = z
  .array(WebhookFilterSchema)
  .min(1)
  .max(WEBHOOK_EVENT_TYPES.length + WEBHOOK_WILDCARDS.length);
/** None sends messages without addresses. */
const callbackVerbs = z.array(CallbackVerbSchema).max(CallbackVerbSchema.options.length);

export const WebhookEndpointCreateSchema = z.strictObject({
  url,
  description: description.optional(),
  events,
  callback_verbs: callbackVerbs.default([...DEFAULT_CALLBACK_VERBS]),
  /** A disabled endpoint gets nothing; what happens meanwhile is not sent later. */
  disabled: z.boolean().default(false),
});
export type WebhookEndpointCreate = z.input<typeof WebhookEndpointCreateSchema>;

/** What is left out stays. `disabled: false` also forgets that nothing had arrived for too long. */
export const WebhookEndpointUpdateSchema = z.strictObject({
  url: url.optional(),
  description: description.nullable().optional(),
  events: events.optional(),
  /** Addresses that were sent out keep what they were sent with. */
  callback_verbs: callbackVerbs.optional(),
  disabled: z.boolean().optional(),
});
export type WebhookEndpointUpdate = z.infer<typeof WebhookEndpointUpdateSchema>;

/** Rotating again ends the overlap of the rotation before: two secrets sign at most. */
export const WebhookSecretRotateSchema = z.strictObject({
  /** Milliseconds for which the old secret goes on signing too; 0 ends it at once. */
  overlap_ms: z
    .number()
    .int()
    .min(0)
    .max(MAX_ROTATION_OVERLAP_MS)
    .default(DEFAULT_ROTATION_OVERLAP_MS),
});
export type WebhookSecretRotate = z.input<typeof WebhookSecretRotateSchema>;

export const WebhookEndpointSchema = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(WebhookFilterSchema),
  callback_verbs: z.array(CallbackVerbSchema),
  disabled: z.boolean(),
  disabled_at: TimestampSchema.nullable(),
  /** `tenant` by a request, `gone` by an answer of 410, `failing` when nothing had arrived for five days. */
  disabled_reason: z.enum(["tenant", "gone", "failing"]).nullable(),
  /** The first failed attempt since the last that arrived. */
  failing_since: TimestampSchema.nullable(),
  /**
   * `open` while the receiver does not answer or cannot cope: nothing is sent to it. `half_open` from `circuit_retry_at`
   * on: one message is, and what becomes of it closes the circuit or opens it again.
   */
  circuit: z.enum(["closed", "open", "half_open"]),
  circuit_retry_at: TimestampSchema.nullable(),
  created_at: TimestampSchema,
  updated_at: TimestampSchema,
  /** Until when the secret before the last rotation signs too; null when there is none. */
  old_secret_expires_at: TimestampSchema.nullable(),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpointSchema>;

/** The answers to a creation and to a rotation, which alone show the secret. */
export const CreatedWebhookEndpointSchema = WebhookEndpointSchema.extend({ secret: z.string() });
export type CreatedWebhookEndpoint = z.infer<typeof CreatedWebhookEndpointSchema>;
