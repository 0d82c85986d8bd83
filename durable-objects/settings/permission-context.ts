// A session's permission as AgentScope's `permission_context`: the effective mode, and its own rules and directories,
// without the agent's rules.
import type { PermissionContext } from "../../protocol/sessions/session-state.ts";
import { MAX_CHANGE_RULES_BYTES } from "../../protocol/plans/limits.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/** The settings that the permission of a session follows from. */
export type PermissionInit = Pick<SessionInit, "agent" | "permission" | "working_directories">;

export function permissionContext(
  init: PermissionInit,
  { rules: table }: Pick<SessionTables, "rules">,
): PermissionContext {
  const rules = table.all();
  const directories = init.working_directories ?? [];
  return {
    mode: init.permission?.mode ?? init.agent.permission.mode,
    working_directories: Object.fromEntries(
      directories.map((path) => [path, { path, source: "session" }]),
    ),
    allow_rules: byTool(rules.filter(({ behavior }) => behavior === "allow")),
    deny_rules: byTool(rules.filter(({ behavior }) => behavior === "deny")),
    ask_rules: byTool(rules.filter(({ behavior }) => behavior === "ask")),
  };
}

/** As {@link permissionContext} for an event; undefined when there are too many rules to repeat them each time. */
export function eventPermissionContext(
  ...session: Parameters<typeof permissionContext>
): PermissionContext | undefined {
  const context = permissionContext(...session);
  return utf8Bytes(JSON.stringify(context)) > MAX_CHANGE_RULES_BYTES ? undefined : context;
}

function byTool(rules: readonly PermissionRule[]): Record<string, PermissionRule[]> {
  const lists = new Map<string, PermissionRule[]>();
  for (const { tool_name, rule_content, behavior, source } of rules) {
    const list = lists.get(tool_name) ?? [];
    list.push({ tool_name, rule_content, behavior, source });
    lists.set(tool_name, list);
  }
  return Object.fromEntries(lists);
}
