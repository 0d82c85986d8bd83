// Callback URLs in outgoing webhooks: the holder of the URL may read and answer the calls that the webhook announced.
import { z } from "zod";

import type { TimestampSchema } from "../schemas/common.ts";
import { PostedConfirmationSchema, PostedExecutionSchema } from "../events/contract.ts";
import type { PendingCall, ReplyStatus } from "../replies/contract.ts";

/** An answer to one or several of the calls. Interrupts are not accepted here. */
export const CallbackAnswerSchema = z.discriminatedUnion("type", [
  PostedConfirmationSchema,
  PostedExecutionSchema,
]);
export type CallbackAnswer = z.input<typeof CallbackAnswerSchema>;

/** The calls of this callback URL that still wait. */
export interface Callback {
  readonly session_id: string;
  readonly reply_id: string;
  /** Empty once all are answered or expired. */
  readonly pending: readonly PendingCall[];
  readonly expires_at: z.infer<typeof TimestampSchema>;
}

/** The outcome of an answer by callback or signed webhook, without the reply's content. */
export interface AnswerReceipt {
  readonly session_id: string;
  /** Null when an interrupt found no running reply. */
  readonly reply_id: string | null;
  readonly status: ReplyStatus | null;
  /** False when the same answer had been applied before. */
  readonly applied: boolean;
}
