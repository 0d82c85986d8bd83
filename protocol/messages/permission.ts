// Wire shapes of permission rules (AgentScope 2.x). They are evaluated in agent/permission.
import * as z from "zod";

export const PermissionBehaviorSchema = z.enum(["allow", "deny", "ask", "passthrough"]);

export const PermissionModeSchema = z
  .enum(["default", "accept_edits", "explore", "bypass", "dont_ask"])
  .meta({ id: "PermissionMode", description: "The decision for calls that no rule matches." });
export type PermissionMode = z.infer<typeof PermissionModeSchema>;

/** All four keys are required; `rule_content` null or empty matches every call of the tool. */
export const PermissionRuleSchema = z
  .object({
    tool_name: z.string(),
    rule_content: z.string().nullable(),
    behavior: PermissionBehaviorSchema,
    source: z.string(),
  })
  .meta({
    id: "PermissionRule",
    description: "A rule that allows, denies or asks for matching tool calls.",
  });
export type PermissionRule = z.infer<typeof PermissionRuleSchema>;

/** The syntax in which a rule's content is matched against a call's argument. */
export const RuleSyntaxSchema = z.enum(["exact", "glob", "path", "command"]);
export type RuleSyntax = z.infer<typeof RuleSyntaxSchema>;
