// Tool calls that wait for a confirmation or an external result, across a tenant's sessions, and answers to many of
// them at once.
import { z } from "zod";

import type { Problem } from "../errors.ts";
import { MAX_BULK_ANSWERS, MAX_POSITION_TOKEN_CHARACTERS } from "./limits.ts";
import type { ToolCallBlock } from "../messages/blocks.ts";
import { PageQuerySchema, TimestampSchema } from "../schemas/common.ts";
import { PostedEventSchema } from "../events/contract.ts";
import type { PendingCall, Reply } from "../replies/contract.ts";

export const PendingKindSchema = z.enum(["permission", "external_result"]);

export const ConfirmationListQuerySchema = PageQuerySchema.extend({
  page: z.string().max(MAX_POSITION_TOKEN_CHARACTERS).optional(),
  kind: PendingKindSchema.optional(),
  agent_id: z.string().max(200).optional(),
  end_user_id: z.string().max(200).optional(),
  session_id: z.string().max(200).optional(),
  tool_name: z.string().max(200).optional(),
  /** Calls whose request was made at this time or later. */
  asked_after: TimestampSchema.optional(),
  /** Calls whose request was made before this time. */
  asked_before: TimestampSchema.optional(),
  /** Calls that expire before this time; those without an expiry are left out. */
  expires_before: TimestampSchema.optional(),
});
export type ConfirmationListQuery = z.infer<typeof ConfirmationListQuerySchema>;

export const ConfirmationsAnswerSchema = z.strictObject({
  answers: z
    .array(z.strictObject({ session_id: z.string().min(1).max(200), event: PostedEventSchema }))
    .min(1)
    .max(MAX_BULK_ANSWERS),
});
export type ConfirmationsAnswer = z.infer<typeof ConfirmationsAnswerSchema>;

/** A waiting call and its session. */
export interface Confirmation extends Omit<PendingCall, "tool_call" | "omitted"> {
  readonly session_id: string;
  readonly reply_id: string;
  readonly agent_id: string;
  readonly end_user_id: string | null;
  readonly tool_call_id: string;
  readonly tool_name: string;
  /** Null when the call is too large for a list: its session shows it. */
  readonly tool_call: ToolCallBlock | null;
  readonly asked_at: string;
}

/** The outcome of one answer. */
export type ConfirmationOutcome =
  | {
      readonly session_id: string;
      readonly ok: true;
      readonly reply: Reply | null;
      readonly cursor: number;
      readonly applied: boolean;
    }
  | { readonly session_id: string; readonly ok: false; readonly problem: Problem };
