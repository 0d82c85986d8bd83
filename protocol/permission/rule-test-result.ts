// The decision of the permission rules about a call. In a file of its own: the SDK's package has it without the other
// answers.
import { z } from "zod";

import { PermissionRuleSchema } from "../messages/permission.ts";

export const CallBehaviorSchema = z.enum(["allow", "ask", "deny"]);

export const RuleTestResultSchema = z.object({
  behavior: CallBehaviorSchema,
  reason: z.string().nullable(),
  rule: PermissionRuleSchema.nullable(),
  suggested_rules: z.array(PermissionRuleSchema),
});
