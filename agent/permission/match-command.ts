// Rules of syntax `command`: `git push:*` is a command and whatever follows it, a text with `*` is a pattern of the
// whole command, and a text without is a part of it for deny and ask, all of it for allow.
import { compileStars, compileSubstring, matchGlob, toCodePoints, type Glob } from "./glob.ts";
import type { CommandName } from "./command-names.ts";
import type { CommandPart } from "./command-part.ts";
import type { FullCommand } from "./read-nested-commands.ts";

export interface CommandSubject {
  readonly command: FullCommand;
  readonly names: readonly CommandName[];
}

/**
 * For deny and ask: whether any part of the command, under any of its names, fits; words that only the run can tell
 * fit everything, and so does a command that cannot be read.
 */
export function restrictsCommand(content: string, subject: CommandSubject): boolean {
  if (!subject.command.isReadable) return true;
  return subject.names.some(compileStrict(content.trim().replace(/\s+/g, " ").toLowerCase()));
}

/** For allow: one part, as it was written and in full. A part that writes to a file needs a rule with a `>`. */
export function grantsPart(content: string, part: CommandPart): boolean {
  const trimmed = content.trim();
  if (trimmed === "*") return true;
  if (part.source === "") return false;
  if (part.redirects.some(isWritingRedirect) && !trimmed.includes(">")) return false;
  if (trimmed.endsWith(":*")) {
    const prefix = trimmed.slice(0, -":*".length);
    return prefix !== "" && (part.source === prefix || part.source.startsWith(`${prefix} `));
  }
  const text = toCodePoints(part.source);
  return compileWithBarePrefix(trimmed).some((glob) => matchGlob(glob, text) === "yes");
}

export function isWritingRedirect({ operator, target }: CommandPart["redirects"][number]): boolean {
  if (operator.startsWith("<") && operator !== "<>") return false;
  if (target.isUnknown) return true;
  if (operator === ">&" && /^(?:\d+|-)$/.test(target.text)) return false;
  return target.text !== "/dev/null";
}

function compileStrict(content: string): (name: CommandName) => boolean {
  if (content.endsWith(":*")) {
    const prefix = content.slice(0, -":*".length);
    return ({ text, known }) =>
      prefix === "" ||
      text === prefix ||
      text.startsWith(`${prefix} `) ||
      (known !== null && `${prefix} `.startsWith(known));
  }
  const hasStar = compileStars(content).ends.length > 1;
  const globs = hasStar ? compileWithBarePrefix(content) : [compileSubstring(unescape(content))];
  // Ends before the first wildcard or escape.
  const head = hasStar ? content.slice(0, content.search(/[*\\]/)) : "";
  return ({ codePoints, known }) => {
    if (globs.some((glob) => matchGlob(glob, codePoints) !== "no")) return true;
    return known !== null && (head.startsWith(known) || known.startsWith(head));
  };
}

function unescape(content: string): string {
  return content.replace(/\\([*\\])/g, "$1");
}

/** `git *` is about a bare `git` too. */
function compileWithBarePrefix(content: string): readonly Glob[] {
  const glob = compileStars(content);
  const isOpen = content.endsWith(" *") && content.length > " *".length;
  return isOpen ? [glob, compileStars(content.slice(0, -" *".length))] : [glob];
}
