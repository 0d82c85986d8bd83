// Tools as agents declare them, and rules as people write them.
import type { ToolDeclaration } from "../../../agent/ports.ts";
import {
  checkCall,
  type CallPermission,
  type PermissionSettings,
} from "../../../agent/permission/check-call.ts";
import type { PermissionMode, PermissionRule } from "../../../protocol/messages/permission.ts";

const flags = {
  description: "",
  input_schema: { type: "object" },
  read_only: false,
  concurrency_safe: false,
  idempotent: false,
} as const;

/** A tool whose input rules cannot look into. */
export const PLAIN: ToolDeclaration = { ...flags, name: "T" };
export const READ: ToolDeclaration = {
  ...flags,
  name: "Read",
  read_only: true,
  rule_argument: "/file_path",
  rule_syntax: "path",
};
export const WRITE: ToolDeclaration = {
  ...flags,
  name: "Write",
  edits_files: true,
  rule_argument: "/file_path",
  rule_syntax: "path",
};
export const EDIT: ToolDeclaration = { ...WRITE, name: "Edit" };
export const BASH: ToolDeclaration = {
  ...flags,
  name: "Bash",
  rule_argument: "/command",
  rule_syntax: "command",
};
export const REFUND: ToolDeclaration = {
  ...flags,
  name: "Refund",
  rule_argument: "/order/id",
  rule_syntax: "exact",
};
export const MAIL: ToolDeclaration = {
  ...flags,
  name: "Mail",
  rule_argument: "/to",
  rule_syntax: "glob",
};

/** Written as `deny Bash rm:*`; a rule for the whole tool has no third word. */
export function rule(text: string): PermissionRule {
  const [, behavior = "", tool_name = "", content] = /^(\S+) (\S+)(?: ([^]*))?$/.exec(text) ?? [];
  return {
    tool_name,
    rule_content: content ?? null,
    behavior: behavior as PermissionRule["behavior"],
    source: "test",
  };
}

export interface Situation {
  readonly mode?: PermissionMode;
  readonly rules?: readonly string[];
  readonly directories?: readonly string[];
}

export function contextOf({ mode, rules, directories }: Situation): PermissionSettings {
  return {
    mode: mode ?? "default",
    rules: (rules ?? []).map(rule),
    working_directories: directories ?? [],
  };
}

export function check(
  tool: ToolDeclaration,
  argument: string,
  situation: Situation = {},
): CallPermission {
  const key = tool.rule_syntax === "command" ? "command" : "file_path";
  return checkCall(contextOf(situation), tool, { [key]: argument });
}
