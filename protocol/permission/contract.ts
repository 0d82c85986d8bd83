// Permission rules of a session, the check of a call against them, and the log of decisions.
import * as z from "zod";

import { MAX_RULE_CHARACTERS, MAX_RULES } from "./limits.ts";
import { PermissionBehaviorSchema, PermissionRuleSchema } from "../messages/permission.ts";
import { pageOf, PageQuerySchema, TimestampSchema } from "../schemas/common.ts";
import { WarningSchema } from "../warning.ts";
import type { Frozen } from "../messages/frozen.ts";

/** A rule as a client writes it; `passthrough` rules have no effect and are refused. */
export const RuleInputSchema = z
  .strictObject({
    tool_name: z.string().min(1).max(200),
    /** Null or empty matches every call of the tool, and so does a rule without it. */
    rule_content: z.string().max(MAX_RULE_CHARACTERS).nullable().default(null),
    behavior: PermissionBehaviorSchema.exclude(["passthrough"]),
    /** Origin of the rule: a free label of the client. */
    source: z.string().max(200).default("session"),
  })
  .meta({ id: "PermissionRuleInput" });

export const RulesCreateSchema = z
  .strictObject({
    rules: z.array(RuleInputSchema).min(1).max(MAX_RULES),
  })
  .meta({ id: "PermissionRulesCreate" });

export const RuleTestSchema = z
  .strictObject({
    tool_name: z.string().min(1).max(200),
    /** The call's input as the model would write it. */
    input: z.record(z.string(), z.json()).default({}),
  })
  .meta({ id: "PermissionRuleTest" });
export type RuleTest = z.infer<typeof RuleTestSchema>;

export const DecisionListQuerySchema = PageQuerySchema;

/** @public */
export const SessionRuleSchema = PermissionRuleSchema.extend({
  /** `rul_…`; null for a rule of the agent, which a session cannot remove. */
  id: z.string().nullable(),
  scope: z.enum(["agent", "session"]),
  created_at: TimestampSchema.nullable(),
  /** The credential that created it; null for a rule of the agent. */
  created_by: z.string().nullable(),
}).meta({ id: "SessionRule", description: "A rule of a session: its own, or its agent's." });
export interface SessionRule extends Readonly<z.infer<typeof SessionRuleSchema>> {}
export const SessionRulePageSchema = pageOf(SessionRuleSchema).meta({ id: "SessionRulePage" });
/** Of the answer to a write: rules that say nothing. Left out when there are none. */
const warnings = z.array(WarningSchema).optional();

/** The rules that a request added, in its order. */
export const AddedRulesSchema = z
  .object({ data: z.array(SessionRuleSchema), warnings })
  .meta({ id: "AddedRules", description: "The rules of a request, as the session has them." });
export interface AddedRules extends Frozen<z.infer<typeof AddedRulesSchema>> {}

/** Rules that were checked and not written. */
export const CheckedRulesSchema = z.object({ data: z.array(PermissionRuleSchema), warnings }).meta({
  id: "CheckedRules",
  description: "The rules of a request, as they would be stored.",
});
export interface CheckedRules extends Frozen<z.infer<typeof CheckedRulesSchema>> {}

const CallBehaviorSchema = z.enum(["allow", "ask", "deny"]);

export const RuleTestResultSchema = z
  .object({
    behavior: CallBehaviorSchema,
    reason: z.string().nullable(),
    /** The matching rule; null when the tool's definition or the mode decided. */
    rule: PermissionRuleSchema.nullable(),
    suggested_rules: z.array(PermissionRuleSchema),
  })
  .meta({
    id: "RuleTestResult",
    description: "The decision that a call would get at this moment.",
  });
export interface RuleTestResult extends Frozen<z.infer<typeof RuleTestResultSchema>> {}

/** One entry of the decision log. */
export const DecisionSchema = z
  .object({
    /** The seq of the event that recorded it. */
    seq: z.number().int().positive(),
    reply_id: z.string(),
    tool_call_id: z.string(),
    tool_name: z.string(),
    behavior: CallBehaviorSchema,
    reason: z.string().nullable(),
    rule: PermissionRuleSchema.nullable(),
    /** The one who decided: the engine (`platform`), or the credential that answered. */
    decided_by: z.object({
      kind: z.enum([
        "platform",
        "api_key",
        "client_token",
        "end_user",
        "callback",
        "inbound_endpoint",
        "member",
      ]),
      /** Null for the platform. */
      id: z.string().nullable(),
      /** A member's name at that time; missing for others. */
      name: z.string().optional(),
    }),
    /** The input after the edit; null when it was not edited. */
    edited_input: z.string().nullable(),
    decided_at: TimestampSchema,
  })
  .meta({ id: "Decision", description: "One decision about a tool call." });
export interface Decision extends Frozen<z.infer<typeof DecisionSchema>> {}
export const DecisionPageSchema = pageOf(DecisionSchema).meta({ id: "DecisionPage" });
