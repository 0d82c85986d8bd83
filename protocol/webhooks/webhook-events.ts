// Events of outgoing webhooks: `{type, timestamp, data}`. Deliberately thin: ids and states, no text and no inputs, so
// that a receiver reads the API with its own rights. Receivers ignore unknown types and members.
import * as z from "zod";

import { PlanStepStateSchema } from "../plans/plan.ts";
import { TimestampSchema } from "../schemas/common.ts";
import { ErrorInfoSchema } from "../messages/messages.ts";

const count = z.number().int().nonnegative();

const SESSION = {
  session_id: z.string(),
  agent_id: z.string(),
  end_user_id: z.string().nullable(),
};

const REPLY = {
  ...SESSION,
  agent_version: z.number().int().positive(),
  reply_id: z.string(),
  /** The stream position at that time: later events are newer than this message. */
  cursor: z.number().int().nonnegative(),
};

/** A call that waits for a confirmation or an external result, without its input. */
const WebhookCallSchema = z
  .object({
    tool_call_id: z.string(),
    tool_name: z.string(),
    kind: z.enum(["permission", "external_result"]),
    /** Sent back with a confirmation to bind it to the input that was shown. */
    input_hash: z.string().nullable(),
    expires_at: TimestampSchema.nullable(),
    /** The sign-in that the call waits for, in place of a result; left out of all others. */
    authorization: z
      .object({
        connection_id: z.string(),
        mcp_server_id: z.string(),
        url: z.string(),
        expires_at: TimestampSchema,
      })
      .optional(),
    /** The call was answered, or has expired, before it could be announced; left out of a call that waits. */
    answered: z.literal(true).optional(),
  })
  .meta({ id: "WebhookCall", description: "A waiting call, without its input." });
export type WebhookCall = z.infer<typeof WebhookCallSchema>;

const CALLS = {
  ...REPLY,
  calls: z.array(WebhookCallSchema).min(1),
  /**
   * `GET` returns the calls with their inputs, `POST` takes the answers. Null when the endpoint has no callback rights,
   * or the platform's own URL is not configured.
   */
  callback_url: z.string().nullable(),
  callback_expires_at: TimestampSchema.nullable(),
};

function eventOf<Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) {
  return z.object({
    type: z.literal(type),
    /** Time of the event; each attempt has its own in `webhook-timestamp`. */
    timestamp: TimestampSchema,
    data: z.object(data),
  });
}

/** All event types with their data. */
export const WebhookEventSchema = z
  .discriminatedUnion("type", [
    eventOf("reply.completed", REPLY),
    eventOf("reply.failed", {
      ...REPLY,
      status: z.enum(["error", "exceed_max_iters"]),
      error: ErrorInfoSchema.nullable(),
    }),
    eventOf("reply.interrupted", REPLY),
    eventOf("confirmation.required", CALLS),
    eventOf("external_execution.required", CALLS),
    eventOf("plan.updated", {
      ...REPLY,
      /** Null for a change by people between replies. */
      reply_id: z.string().nullable(),
      /** The current plan, or, when there is none now, the one that has ended. */
      plan_id: z.string(),
      plan_state: PlanStepStateSchema,
      /** The number of changes so far; messages may arrive in another order. */
      version: z.number().int().positive(),
      /** Numbers of the plan's subtasks by state. */
      subtasks: z.object({ todo: count, in_progress: count, done: count, abandoned: count }),
    }),
    eventOf("connection.failed", {
      connection_id: z.string(),
      mcp_server_id: z.string(),
      /** Null for the tenant's own. */
      end_user_id: z.string().nullable(),
      failure: z.string().nullable(),
    }),
    eventOf("session.created", SESSION),
    eventOf("session.deleted", SESSION),
    eventOf("webhook_endpoint.disabled", {
      endpoint_id: z.string(),
      reason: z.enum(["gone", "failing"]),
      disabled_at: TimestampSchema,
    }),
    /** Sent to one endpoint on request, whatever it is subscribed to. */
    eventOf("webhook_endpoint.test", { endpoint_id: z.string() }),
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
