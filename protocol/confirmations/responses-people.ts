// Response schemas of input events, rules, decisions and confirmations, for the OpenAPI document.
import { z } from "zod";

import { ToolCallBlockSchema } from "../messages/blocks.ts";
import { PermissionRuleSchema } from "../messages/permission.ts";
import type { Page } from "../schemas/common.ts";
import { TimestampSchema } from "../schemas/common.ts";
import { CallBehaviorSchema, type RuleTestResultSchema } from "../permission/rule-test-result.ts";
import type { Confirmation, ConfirmationOutcome } from "./contract.ts";
import { PendingKindSchema } from "./contract.ts";
import type { EventReceipt } from "../events/contract.ts";
import type { Decision, RuleTestResult, SessionRule } from "../permission/contract.ts";
import type { Agrees, All } from "../responses.ts";
import type { TenantDecision } from "../decisions/contract.ts";
import { pageOf, PendingCallSchema, ProblemSchema, ReplySchema } from "../responses.ts";

export const EventReceiptSchema = z.object({
  reply: ReplySchema.nullable(),
  cursor: z.number().int().nonnegative(),
  applied: z.boolean(),
});

export const SessionRuleSchema = PermissionRuleSchema.extend({
  id: z.string().nullable(),
  scope: z.enum(["agent", "session"]),
  created_at: TimestampSchema.nullable(),
  created_by: z.string().nullable(),
});
export const SessionRulePageSchema = pageOf(SessionRuleSchema);
/** The rules that a request added, in its order. */
export const AddedRulesSchema = z.object({ data: z.array(SessionRuleSchema) });

export const DecisionSchema = z.object({
  seq: z.number().int().positive(),
  reply_id: z.string(),
  tool_call_id: z.string(),
  tool_name: z.string(),
  behavior: CallBehaviorSchema,
  reason: z.string().nullable(),
  rule: PermissionRuleSchema.nullable(),
  decided_by: z.object({
    kind: z.enum([
      "platform",
      "api_key",
      "client_token",
      "end_user",
      "callback",
      "inbound_endpoint",
    ]),
    id: z.string().nullable(),
  }),
  edited_input: z.string().nullable(),
  decided_at: TimestampSchema,
});
export const DecisionPageSchema = pageOf(DecisionSchema);

export const TenantDecisionSchema = DecisionSchema.omit({ edited_input: true }).extend({
  session_id: z.string(),
  agent_id: z.string(),
  end_user_id: z.string().nullable(),
  is_edited: z.boolean(),
});
export const TenantDecisionPageSchema = pageOf(TenantDecisionSchema);

export const ConfirmationSchema = PendingCallSchema.omit({ omitted: true }).extend({
  kind: PendingKindSchema,
  session_id: z.string(),
  reply_id: z.string(),
  agent_id: z.string(),
  end_user_id: z.string().nullable(),
  tool_call_id: z.string(),
  tool_name: z.string(),
  tool_call: ToolCallBlockSchema.nullable(),
  asked_at: TimestampSchema,
});
export const ConfirmationPageSchema = pageOf(ConfirmationSchema);

export const AcceptedAnswerSchema = EventReceiptSchema.extend({
  session_id: z.string(),
  ok: z.literal(true),
});
export const RefusedAnswerSchema = z.object({
  session_id: z.string(),
  ok: z.literal(false),
  problem: ProblemSchema,
});
export const ConfirmationOutcomeSchema = z.union([AcceptedAnswerSchema, RefusedAnswerSchema]);
/** One outcome for each answer, in the order of the request. */
export const ConfirmationOutcomesSchema = z.object({ data: z.array(ConfirmationOutcomeSchema) });

/**
 * Compile-time check: each schema of this file matches its interface.
 * @public
 */
export type PeopleAnswersAgree = All<
  [
    Agrees<typeof EventReceiptSchema, EventReceipt>,
    Agrees<typeof SessionRuleSchema, SessionRule>,
    Agrees<typeof RuleTestResultSchema, RuleTestResult>,
    Agrees<typeof DecisionSchema, Decision>,
    Agrees<typeof TenantDecisionSchema, TenantDecision>,
    Agrees<typeof ConfirmationSchema, Confirmation>,
    Agrees<typeof ConfirmationPageSchema, Page<Confirmation>>,
    [z.infer<typeof ConfirmationOutcomeSchema>] extends [ConfirmationOutcome] ? true : false,
  ]
>;
