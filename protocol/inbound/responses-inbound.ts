// Response schemas of callbacks and inbound endpoints, for the OpenAPI document.
import { z } from "zod";

import type { AnswerReceipt, Callback } from "./callbacks.ts";
import { LiveTokenSchema } from "../client-tokens/contract.ts";
import { TimestampSchema } from "../schemas/common.ts";
import { InboundEndpointSchema } from "./contract.ts";
import type { Agrees, All } from "../responses.ts";
import { pageOf, PendingCallSchema, ReplyStatusSchema } from "../responses.ts";

export const CallbackSchema = z.object({
  session_id: z.string(),
  reply_id: z.string(),
  pending: z.array(PendingCallSchema),
  expires_at: TimestampSchema,
});

export const AnswerReceiptSchema = z.object({
  session_id: z.string(),
  reply_id: z.string().nullable(),
  status: ReplyStatusSchema.nullable(),
  applied: z.boolean(),
});

export const LiveTokenPageSchema = pageOf(LiveTokenSchema);
export const InboundEndpointPageSchema = pageOf(InboundEndpointSchema);

/**
 * Compile-time check: each schema of this file matches its interface.
 * @public
 */
export type InboundAnswersAgree = All<
  [Agrees<typeof CallbackSchema, Callback>, Agrees<typeof AnswerReceiptSchema, AnswerReceipt>]
>;
