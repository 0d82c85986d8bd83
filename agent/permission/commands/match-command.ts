// Matches rules of syntax `command`: `git push:*` is a command prefix, a content with `*` a pattern of the whole
// command, and a content without `*` a substring for deny and ask, the whole command for allow.
import type { CommandName } from "./list-command-names.ts";
import type { CommandPart } from "./command-part.ts";
import type { CommandSubject } from "./command-subject.ts";
import { compileStars, compileSubstring } from "../patterns/glob.ts";
import type { SubjectTexts } from "../patterns/subject-texts.ts";
import { WildcardPattern } from "../patterns/wildcard-pattern.ts";

/** Product of the lengths of text and content below which the runtime's search is used. */
const SHORT_SEARCH = 16_384;
const SEARCHED_A_STEP = 64;

/**
 * For deny and ask: whether any part of the command matches under any of its names. Words that are known only at run
 * time match everything, and so does a command that cannot be parsed.
 */
export function restrictsCommand(content: string, subject: CommandSubject): boolean {
  if (!subject.command.isReadable) return true;
  const normal = content.trim().replace(/\s+/g, " ").toLowerCase();
  return normal.endsWith(":*")
    ? restrictsPrefix(normal.slice(0, -":*".length), subject)
    : restrictsPattern(normal, subject);
}

/** For allow: a part matches as written and in full. A part that writes to a file needs a rule with a `>`. */
export function grantsPart(content: string, sources: SubjectTexts): (part: CommandPart) => boolean {
  const trimmed = content.trim();
  if (trimmed === "*") return () => true;
  const mayWrite = trimmed.includes(">");
  const grants = trimmed.endsWith(":*")
    ? grantsPrefix(trimmed.slice(0, -":*".length))
    : grantsPattern(trimmed, sources);
  return ({ source, redirects }) =>
    source !== "" && (mayWrite || !redirects.some(isWritingRedirect)) && grants(source);
}

function grantsPrefix(prefix: string): (source: string) => boolean {
  if (prefix === "") return () => false;
  return (source) => source === prefix || source.startsWith(`${prefix} `);
}

function grantsPattern(content: string, sources: SubjectTexts): (source: string) => boolean {
  const patterns = withBarePrefix(content).map(
    (pattern) => new WildcardPattern(pattern, compileStars, sources),
  );
  return (source) => patterns.some((pattern) => pattern.fits(source) === "yes");
}

export function isWritingRedirect({ operator, target }: CommandPart["redirects"][number]): boolean {
  if (operator.startsWith("<") && operator !== "<>") return false;
  if (target.isUnknown) return true;
  if (operator === ">&" && /^(?:\d+|-)$/.test(target.text)) return false;
  return target.text !== "/dev/null";
}

function restrictsPrefix(
  prefix: string,
  { names, openNames, nameTexts, budget }: CommandSubject,
): boolean {
  if (prefix === "") return true;
  budget.spend(openNames.length);
  const isOpen = ({ known }: CommandName): boolean =>
    known !== null && `${prefix} `.startsWith(known);
  if (openNames.some(isOpen)) return true;
  if (!nameTexts.mayStartWith(prefix)) return false;
  budget.spend(names.length);
  return names.some(({ text }) => text === prefix || text.startsWith(`${prefix} `));
}

function restrictsPattern(content: string, subject: CommandSubject): boolean {
  const { names, openNames, nameTexts, budget } = subject;
  const hasStar = hasWildcard(content);
  // The literal text before the first wildcard or escape.
  const head = hasStar ? content.slice(0, content.search(/[*\\]/)) : "";
  budget.spend(openNames.length);
  const isOpen = ({ known }: CommandName): boolean =>
    known !== null && (head.startsWith(known) || known.startsWith(head));
  if (openNames.some(isOpen)) return true;
  if (!hasStar) return names.some(containsText(unescape(content), nameTexts));
  return withBarePrefix(content).some((pattern) => {
    const wildcards = new WildcardPattern(pattern, compileStars, nameTexts);
    return wildcards.mayFitAny() && nameTexts.texts.some((text) => wildcards.fits(text) !== "no");
  });
}

/** The runtime's search is fast for short texts, but not linear for long ones. */
function containsText(content: string, texts: SubjectTexts): (name: CommandName) => boolean {
  const glob = compileSubstring(content);
  if (!texts.mayFit(glob)) return () => false;
  return ({ text }) => {
    const size = text.length * content.length;
    if (size >= SHORT_SEARCH) return texts.match(glob, text) !== "no";
    texts.budget.spend(1 + size / SEARCHED_A_STEP);
    return text.includes(content);
  };
}

/** Whether there is a star without a backslash before it. */
function hasWildcard(content: string): boolean {
  if (!content.includes("\\")) return content.includes("*");
  return compileStars(content).ends.length > 1;
}

function unescape(content: string): string {
  return content.replace(/\\([*\\])/g, "$1");
}

/** `git *` matches a bare `git` too. */
function withBarePrefix(content: string): readonly string[] {
  const isOpen = content.endsWith(" *") && content.length > " *".length;
  return isOpen ? [content, content.slice(0, -" *".length)] : [content];
}
