// Permission rules of a session, the check of a call against them, and the log of decisions.
import { z } from "zod";

import type { TimestampSchema } from "../schemas/common.ts";
import { MAX_RULE_CHARACTERS, MAX_RULES } from "./limits.ts";
import { PermissionBehaviorSchema, type PermissionRule } from "../messages/permission.ts";
import { PageQuerySchema } from "../schemas/common.ts";

type Timestamp = z.infer<typeof TimestampSchema>;

/** A rule as a client writes it; `passthrough` rules have no effect and are refused. */
export const RuleInputSchema = z.strictObject({
  tool_name: z.string().min(1).max(200),
  /** Null or empty matches every call of the tool, and so does a rule without it. */
  rule_content: z.string().max(MAX_RULE_CHARACTERS).nullable().default(null),
  behavior: PermissionBehaviorSchema.exclude(["passthrough"]),
  /** Origin of the rule: a free label of the client. */
  source: z.string().max(200).default("session"),
});

export const RulesCreateSchema = z.strictObject({
  rules: z.array(RuleInputSchema).min(1).max(MAX_RULES),
});

export const RuleTestSchema = z.strictObject({
  tool_name: z.string().min(1).max(200),
  /** The call's input as the model would write it. */
  input: z.record(z.string(), z.json()).default({}),
});
export type RuleTest = z.infer<typeof RuleTestSchema>;

export const DecisionListQuerySchema = PageQuerySchema;

export interface SessionRule extends PermissionRule {
  /** `rul_…`; null for a rule of the agent, which a session cannot remove. */
  readonly id: string | null;
  readonly scope: "agent" | "session";
  readonly created_at: Timestamp | null;
  /** The credential that created it; null for a rule of the agent. */
  readonly created_by: string | null;
}

export interface RuleTestResult {
  readonly behavior: "allow" | "ask" | "deny";
  readonly reason: string | null;
  /** The matching rule; null when the tool's definition or the mode decided. */
  readonly rule: PermissionRule | null;
  readonly suggested_rules: readonly PermissionRule[];
}

/** One entry of the decision log. */
export interface Decision {
  /** The seq of the event that recorded it. */
  readonly seq: number;
  readonly reply_id: string;
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly behavior: "allow" | "ask" | "deny";
  readonly reason: string | null;
  readonly rule: PermissionRule | null;
  /** The one who decided: the engine (`platform`), or the credential that answered. */
  readonly decided_by: {
    readonly kind:
      | "platform"
      | "api_key"
      | "client_token"
      | "end_user"
      | "callback"
      | "inbound_endpoint";
    /** Null for the platform. */
    readonly id: string | null;
  };
  /** The input after the edit; null when it was not edited. */
  readonly edited_input: string | null;
  readonly decided_at: Timestamp;
}
