import type { PermissionRule } from "../../protocol/messages/permission.ts";

/** Whether two rules decide the same. An empty content equals none: both match every call of the tool. */
export function isSameRule(first: PermissionRule, second: PermissionRule): boolean {
  return (
    first.tool_name === second.tool_name &&
    first.behavior === second.behavior &&
    (first.rule_content ?? "") === (second.rule_content ?? "")
  );
}
