// The rules that a call is checked against: the agent's, then the session's own.
import { UNTRUSTED_CONTENT_FOLD } from "../../agent/permission/untrusted-content-fold.ts";
import { sentSources } from "../../agent/permission/untrusted-content.ts";
import type { PermissionSettings } from "../../agent/permission/check-call.ts";
import type { SessionRule } from "../../protocol/permission/contract.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionSettings } from "./session-settings.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/**
 * Built anew for each call, because rules are added while a reply runs. No function of the deployment is in them: what is
 * simulated and replayed calls none. @param agent The open reply's, or the next one's.
 */
export function permissionSettings(
  { agent }: Pick<SessionInit, "agent">,
  {
    settings,
    tables,
  }: {
    readonly settings: SessionSettings;
    readonly tables: {
      readonly rules: Pick<SessionTables["rules"], "all">;
      readonly abilities: Pick<SessionTables["abilities"], "read">;
    };
  },
): PermissionSettings {
  const { permission, working_directories, bounds } = settings.init;
  const own = {
    mode: permission?.mode ?? agent.permission.mode,
    rules: [...agent.permission.rules, ...tables.rules.all().map(withoutOrigin)],
    working_directories: working_directories ?? [],
    untrusted: sentSources(tables.abilities.read(UNTRUSTED_CONTENT_FOLD)),
    bypass_untrusted: agent.permission.bypass_untrusted ?? false,
  };
  if (!bounds) return own;
  return {
    ...own,
    bounds: bounds.modes,
    rules: [...own.rules, ...bounds.rules],
    untrusted: [...bounds.untrusted, ...own.untrusted],
    bypass_untrusted: own.bypass_untrusted && bounds.bypass_untrusted,
  };
}

/** Leaves out the rule's author: refusals and the log show the rule alone. */
function withoutOrigin({ tool_name, rule_content, behavior, source }: SessionRule): PermissionRule {
  return { tool_name, rule_content, behavior, source };
}
