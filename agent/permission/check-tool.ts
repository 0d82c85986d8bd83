// The tool's own check of a call, before allow rules and the mode: whether it is read-only, dangerous, or allowed by
// `accept_edits`.
import type { PermissionMode } from "../../protocol/messages/permission.ts";
import type { ToolDeclaration } from "../ports.ts";
import type { CallSubject } from "./call-subject.ts";
import { findDanger } from "./commands/find-danger.ts";
import { findDangerousSegment, isInside } from "./paths/dangerous-path.ts";
import type { ToolCheckResult } from "./decide-permission.ts";
import { changesOnlyInside } from "./commands/changes-only-inside.ts";
import { normalizePath } from "./paths/normalize-path.ts";
import { isReadOnlyCommand } from "./commands/read-only-command.ts";

export interface OwnCheck {
  readonly isReadOnly: boolean;
  readonly check: ToolCheckResult;
  readonly reason: string | null;
}

export function checkTool(
  tool: ToolDeclaration,
  subject: CallSubject,
  mode: PermissionMode,
  workingDirectories: readonly string[],
): OwnCheck {
  if (tool.read_only) return { isReadOnly: true, check: "pass", reason: null };
  const danger = findCallDanger(subject);
  if (danger !== null) return { isReadOnly: false, check: "ask_always", reason: danger };
  if (subject.type === "command" && isReadOnlyCommand(subject.command)) {
    return { isReadOnly: true, check: "pass", reason: null };
  }
  const acceptsEdits = mode === "accept_edits" || mode === "dont_ask";
  if (acceptsEdits && editsOnlyInside(tool, subject, workingDirectories)) {
    return {
      isReadOnly: false,
      check: "allow",
      reason: "Changes only files inside the working directories",
    };
  }
  return { isReadOnly: false, check: "pass", reason: null };
}

function findCallDanger(subject: CallSubject): string | null {
  switch (subject.type) {
    case "none":
    case "texts":
      return null;
    case "unreadable":
      return subject.isMissing ? null : "Safety: the argument that rules match cannot be read";
    case "command":
      return findDanger(subject.command);
    case "paths": {
      if (subject.paths.some((path) => !path.isReadable)) {
        return "Safety: the path cannot be read with certainty";
      }
      const paths = subject.paths.flatMap((readings) => readings.paths);
      const segment = paths.map(findDangerousSegment).find((name) => name !== null);
      return segment === undefined ? null : `Safety: the path leads to ${segment}`;
    }
    default:
      return subject satisfies never;
  }
}

function editsOnlyInside(
  tool: ToolDeclaration,
  subject: CallSubject,
  workingDirectories: readonly string[],
): boolean {
  const folders = workingDirectories.map((folder) => normalizePath(folder, undefined));
  if (subject.type === "command") return changesOnlyInside(subject.command, folders);
  if (subject.type !== "paths" || !tool.edits_files) return false;
  const paths = subject.paths.flatMap((readings) => readings.paths);
  return paths.every((path) => isInside(path, folders));
}
