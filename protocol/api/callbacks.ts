// The address that an outgoing webhook carries: who holds it may see and answer the calls that it announced.
import { z } from "zod";

import type { TimestampSchema } from "./schemas/common.ts";
import { PostedConfirmationSchema, PostedExecutionSchema } from "./events.ts";
import type { PendingCall, ReplyStatus } from "./replies.ts";

/** An answer to one or several of the calls. An interrupt is not the address's to give. */
export const CallbackAnswerSchema = z.discriminatedUnion("type", [
  PostedConfirmationSchema,
  PostedExecutionSchema,
]);
export type CallbackAnswer = z.input<typeof CallbackAnswerSchema>;

/** What still waits of the calls that the address is about. */
export interface Callback {
  readonly session_id: string;
  readonly reply_id: string;
  /** Empty once each was answered, or waits no more. */
  readonly pending: readonly PendingCall[];
  readonly expires_at: z.infer<typeof TimestampSchema>;
}

/** What became of an answer by callback or by a signed webhook; the reply's content stays where it is. */
export interface AnswerReceipt {
  readonly session_id: string;
  /** Null for an interrupt where nothing ran. */
  readonly reply_id: string | null;
  readonly status: ReplyStatus | null;
  /** False for an answer that had been given before in the same words. */
  readonly applied: boolean;
}
