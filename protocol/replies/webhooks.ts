// Webhook events of a reply that has ended, or whose calls wait for an answer.
import * as z from "zod";

import { ErrorInfoSchema } from "../messages/messages.ts";
import { TimestampSchema } from "../schemas/common.ts";
import { OF_REPLY, webhookEvent } from "../schemas/webhook-event.ts";

/** A call that waits for a confirmation or an external result, without its input. @public */
export const WebhookCallSchema = z
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
  ...OF_REPLY,
  calls: z.array(WebhookCallSchema).min(1),
  /**
   * `GET` returns the calls with their inputs, `POST` takes the answers. Null when the endpoint has no callback rights,
   * or the platform's own URL is not configured.
   */
  callback_url: z.string().nullable(),
  callback_expires_at: TimestampSchema.nullable(),
};
const CALL_MEMBERS = "`calls`, `callback_url`, `callback_expires_at`";

export const REPLY_WEBHOOKS = [
  webhookEvent("reply.completed", { when: "a reply ended normally", data: "" }, OF_REPLY),
  webhookEvent(
    "reply.failed",
    {
      when: "a reply ended with an error, or after its last round",
      data: "`status` (`error`, `exceed_max_iters`), `error` (type and fixed text, or null)",
    },
    {
      ...OF_REPLY,
      status: z.enum(["error", "exceed_max_iters"]),
      error: ErrorInfoSchema.nullable(),
    },
  ),
  webhookEvent("reply.interrupted", { when: "a client ended a reply", data: "" }, OF_REPLY),
  webhookEvent(
    "confirmation.required",
    { when: "calls wait for a person", data: CALL_MEMBERS },
    CALLS,
  ),
  webhookEvent(
    "external_execution.required",
    { when: "calls wait for an external system", data: CALL_MEMBERS },
    CALLS,
  ),
] as const;
