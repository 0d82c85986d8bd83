// Callback URLs in outgoing webhooks: the holder of the URL may read and answer the calls that the webhook announced.
import * as z from "zod";

import { TimestampSchema } from "../schemas/common.ts";
import { PostedConfirmationSchema, PostedExecutionSchema } from "../events/contract.ts";
import { PendingCallSchema, ReplyStatusSchema } from "../replies/contract.ts";
import type { Frozen } from "../messages/frozen.ts";

/** An answer to one or several of the calls. Interrupts are not accepted here. */
export const CallbackAnswerSchema = z
  .discriminatedUnion("type", [PostedConfirmationSchema, PostedExecutionSchema])
  .meta({ id: "CallbackAnswer", description: "An answer to one or several of the calls." });
export type CallbackAnswer = z.input<typeof CallbackAnswerSchema>;

/** The calls of this callback URL that still wait. */
export const CallbackSchema = z
  .object({
    session_id: z.string(),
    reply_id: z.string(),
    /** Empty once all are answered or expired. */
    pending: z.array(PendingCallSchema),
    expires_at: TimestampSchema,
  })
  .meta({ id: "Callback", description: "The calls of a callback address that still wait." });
export interface Callback extends Frozen<z.infer<typeof CallbackSchema>> {}

/** The outcome of an answer by callback or signed webhook, without the reply's content. */
export const AnswerReceiptSchema = z
  .object({
    session_id: z.string(),
    /** Null when an interrupt found no running reply. */
    reply_id: z.string().nullable(),
    status: ReplyStatusSchema.nullable(),
    /** False when the same answer had been applied before. */
    applied: z.boolean(),
  })
  .meta({
    id: "AnswerReceipt",
    description: "The outcome of an answer, without the reply's content.",
  });
export interface AnswerReceipt extends Readonly<z.infer<typeof AnswerReceiptSchema>> {}
