// Rules of syntax `command`: `git push:*` is a command and whatever follows it, a text with `*` is a pattern of the
// whole command, and a text without is a part of it for deny and ask, all of it for allow.
import {
  compileStars,
  compileSubstring,
  isRuledOut,
  matchGlob,
  toCodePoints,
  type Glob,
} from "./glob.ts";
import type { CommandName } from "./command-names.ts";
import type { CommandPart } from "./command-part.ts";
import type { FullCommand } from "./read-nested-commands.ts";

/** Characters of text times characters of content. */
const SHORT_SEARCH = 16_384;

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
  return withBarePrefix(trimmed).some(
    (pattern) =>
      !isRuledOut(pattern, part.source) &&
      matchGlob(compileStars(pattern), toCodePoints(part.source)) === "yes",
  );
}

export function isWritingRedirect({ operator, target }: CommandPart["redirects"][number]): boolean {
  if (operator.startsWith("<") && operator !== "<>") return false;
  if (target.isUnknown) return true;
  if (operator === ">&" && /^(?:\d+|-)$/.test(target.text)) return false;
  return target.text !== "/dev/null";
}

function compileStrict(content: string): Test {
  if (content.endsWith(":*")) {
    const prefix = content.slice(0, -":*".length);
    return ({ text, known }) =>
      prefix === "" ||
      text === prefix ||
      text.startsWith(`${prefix} `) ||
      (known !== null && `${prefix} `.startsWith(known));
  }
  const hasStar = hasWildcard(content);
  const fits = hasStar ? fitsPattern(content) : containsText(unescape(content));
  // Ends before the first wildcard or escape.
  const head = hasStar ? content.slice(0, content.search(/[*\\]/)) : "";
  return (name) =>
    fits(name) ||
    (name.known !== null && (head.startsWith(name.known) || name.known.startsWith(head)));
}

type Test = (name: CommandName) => boolean;

/** Compiles what the names' ends do not rule out. */
function fitsPattern(content: string): Test {
  const tests = withBarePrefix(content).map((pattern): Test => {
    let glob: Glob | null = null;
    return ({ text, codePoints }) => {
      if (isRuledOut(pattern, text)) return false;
      glob ??= compileStars(pattern);
      return matchGlob(glob, codePoints) !== "no";
    };
  });
  return (name) => tests.some((test) => test(name));
}

/** The runtime's own search is fast for short texts, and not linear for long ones. */
function containsText(content: string): Test {
  let glob: Glob | null = null;
  return ({ text, codePoints }) => {
    if (text.length * content.length < SHORT_SEARCH) return text.includes(content);
    glob ??= compileSubstring(content);
    return matchGlob(glob, codePoints) !== "no";
  };
}

/** A star that no backslash has made a plain one. */
function hasWildcard(content: string): boolean {
  if (!content.includes("\\")) return content.includes("*");
  return compileStars(content).ends.length > 1;
}

function unescape(content: string): string {
  return content.replace(/\\([*\\])/g, "$1");
}

/** `git *` is about a bare `git` too. */
function withBarePrefix(content: string): readonly string[] {
  const isOpen = content.endsWith(" *") && content.length > " *".length;
  return isOpen ? [content, content.slice(0, -" *".length)] : [content];
}
