// Tool calls that wait for a confirmation or an external result, across a tenant's sessions, and answers to many of
// them at once.
import * as z from "zod";

import { EventReceiptSchema, PostedEventSchema } from "../events/contract.ts";
import { MAX_BULK_ANSWERS, MAX_POSITION_TOKEN_CHARACTERS } from "./limits.ts";
import { ToolCallBlockSchema } from "../messages/blocks.ts";
import { AgentScope1BlockSchema, JavaBlockSchema } from "../messages/message-forms.ts";
import type { Problem } from "../problem.ts";
import { DocumentedProblemSchema } from "../replies/documented-problem.ts";
import { pageOf, PageQuerySchema, TimestampSchema } from "../schemas/common.ts";
import type { Frozen } from "../messages/frozen.ts";
import { MessageFormatSchema } from "../schemas/event-format.ts";
import { PendingCallSchema } from "../replies/contract.ts";

const PendingKindSchema = z.enum(["permission", "external_result"]);

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
  /** The form of the calls. */
  format: MessageFormatSchema,
});
export type ConfirmationListQuery = z.infer<typeof ConfirmationListQuerySchema>;

export const ConfirmationsAnswerSchema = z
  .strictObject({
    answers: z
      .array(z.strictObject({ session_id: z.string().min(1).max(200), event: PostedEventSchema }))
      .min(1)
      .max(MAX_BULK_ANSWERS),
  })
  .meta({ id: "ConfirmationsAnswer" });
export type ConfirmationsAnswer = z.infer<typeof ConfirmationsAnswerSchema>;

/** A waiting call and its session. @public */
export const ConfirmationSchema = PendingCallSchema.omit({ omitted: true })
  .extend({
    kind: PendingKindSchema,
    session_id: z.string(),
    reply_id: z.string(),
    agent_id: z.string(),
    end_user_id: z.string().nullable(),
    tool_call_id: z.string(),
    tool_name: z.string(),
    /** Null when the call is too large for a list: its session shows it. */
    tool_call: ToolCallBlockSchema.nullable(),
    asked_at: TimestampSchema,
  })
  .meta({ id: "Confirmation", description: "A waiting tool call, with its session and reply." });
export interface Confirmation extends Frozen<z.infer<typeof ConfirmationSchema>> {}
export const ConfirmationPageSchema = pageOf(ConfirmationSchema).meta({ id: "ConfirmationPage" });

/** @public */
export const AgentScope1ConfirmationSchema = ConfirmationSchema.extend({
  tool_call: AgentScope1BlockSchema.nullable(),
}).meta({
  id: "AgentScope1Confirmation",
  description: "A waiting call with `format=agentscope-1`.",
});
export type AgentScope1Confirmation = z.infer<typeof AgentScope1ConfirmationSchema>;
export const AgentScope1ConfirmationPageSchema = pageOf(AgentScope1ConfirmationSchema).meta({
  id: "AgentScope1ConfirmationPage",
});

/** @public */
export const JavaConfirmationSchema = ConfirmationSchema.extend({
  tool_call: JavaBlockSchema.nullable(),
}).meta({ id: "JavaConfirmation", description: "A waiting call with `format=agentscope-java`." });
export type JavaConfirmation = z.infer<typeof JavaConfirmationSchema>;
export const JavaConfirmationPageSchema = pageOf(JavaConfirmationSchema).meta({
  id: "JavaConfirmationPage",
});

/** @public */
export const AcceptedAnswerSchema = EventReceiptSchema.extend({
  session_id: z.string(),
  ok: z.literal(true),
}).meta({ id: "AcceptedAnswer" });
/** @public */
export const RefusedAnswerSchema = z
  .object({
    session_id: z.string(),
    ok: z.literal(false),
    problem: DocumentedProblemSchema,
  })
  .meta({ id: "RefusedAnswer" });
/** The outcome of one answer. @public */
export const ConfirmationOutcomeSchema = z.union([AcceptedAnswerSchema, RefusedAnswerSchema]).meta({
  id: "ConfirmationOutcome",
  description: "The outcome of one answer: a receipt, or a problem.",
});
export type ConfirmationOutcome =
  | Frozen<z.infer<typeof AcceptedAnswerSchema>>
  | (Frozen<Omit<z.infer<typeof RefusedAnswerSchema>, "problem">> & { readonly problem: Problem });
/** One outcome for each answer, in the order of the request. */
export const ConfirmationOutcomesSchema = z
  .object({ data: z.array(ConfirmationOutcomeSchema) })
  .meta({ id: "ConfirmationOutcomes" });
