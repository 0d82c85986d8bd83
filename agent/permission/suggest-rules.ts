// Suggests allow rules for a question to a person: they would decide such calls in future, and never a dangerous one.
import { MAX_RULE_CHARACTERS } from "../../protocol/permission/limits.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { CallSubject } from "./call-subject.ts";
import type { CommandPart } from "./commands/command-part.ts";
import { isAssignment, isWrapper, programName } from "./commands/find-programs.ts";
import type { FullCommand } from "./commands/read-nested-commands.ts";
import { isReadOnlyPart } from "./commands/read-only-command.ts";

const MAX_SUGGESTIONS = 5;
/** A second word that names a subcommand rather than an operand. */
const SUBCOMMAND = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** Programs that, like wrappers, run their arguments: a prefix rule would allow every command. */
const RUNNERS = new Set(
  "sh bash zsh dash ksh ash fish eval source . find python python3 node deno bun perl ruby php awk npx bunx pipx uvx".split(
    " ",
  ),
);

/** Each suggested rule matches the call or one of its parts; other parts may need other rules. */
export function suggestRules(toolName: string, subject: CallSubject): readonly PermissionRule[] {
  const contents = [...new Set(listContents(subject))]
    .filter((content) => content === null || isUsable(content))
    .slice(0, MAX_SUGGESTIONS);
  return contents.map((rule_content) => ({
    tool_name: toolName,
    rule_content,
    behavior: "allow",
    source: "suggested",
  }));
}

/** An empty content would match every call. */
function isUsable(content: string): boolean {
  return content.trim() !== "" && content.length <= MAX_RULE_CHARACTERS;
}

function listContents(subject: CallSubject): readonly (string | null)[] {
  switch (subject.type) {
    case "none":
      return [null];
    case "unreadable":
      return [];
    case "texts":
      return subject.syntax === "exact" ? subject.texts : subject.texts.map(escapeGlob);
    case "paths":
      // No suggestion for a path with several interpretations.
      return subject.paths.flatMap(({ paths: [path, ...others], isReadable }) =>
        path !== undefined && others.length === 0 && isReadable ? [suggestForPath(path)] : [],
      );
    case "command":
      return suggestForCommand(subject.command);
    default:
      return subject satisfies never;
  }
}

/** The parent folder, or the path itself where that is the root. */
function suggestForPath(path: string): string {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return parent === "" || parent === "~" ? escapeGlob(path) : `${escapeGlob(parent)}/**`;
}

function suggestForCommand(command: FullCommand): readonly string[] {
  if (!command.isReadable || command.hasNestedText) return [];
  return command.parts
    .filter((part) => part.source !== "" && !isReadOnlyPart(part))
    .map(suggestForPart);
}

function suggestForPart(part: CommandPart): string {
  const [program, second] = part.words;
  const isPrefixed =
    program !== undefined &&
    second !== undefined &&
    part.redirects.length === 0 &&
    !isAssignment(program) &&
    !RUNNERS.has(programName(program)) &&
    !isWrapper(programName(program)) &&
    SUBCOMMAND.test(second.text) &&
    !second.isUnknown;
  const prefix = isPrefixed ? `${program.text} ${second.text}` : "";
  // The source text has to begin with the prefix, or the rule would not match it again.
  const isAsWritten = part.source === prefix || part.source.startsWith(`${prefix} `);
  if (isPrefixed && isAsWritten && !/[*\\]/.test(prefix)) return `${prefix}:*`;
  return escapeStars(part.source);
}

function escapeGlob(text: string): string {
  return text.replace(/[*?[]/g, "[$&]");
}

function escapeStars(text: string): string {
  return text.replace(/[*\\]/g, "\\$&");
}
