// Rules of syntax `command`: `git push:*` is a command and whatever follows it, a text with `*` is a pattern of the
// whole command, and a text without is a part of it for deny and ask, all of it for allow.
import type { CommandName } from "./list-command-names.ts";
import type { CommandPart } from "./command-part.ts";
import type { CommandSubject } from "./command-subject.ts";
import { compileStars, compileSubstring } from "../patterns/glob.ts";
import type { SubjectTexts } from "../patterns/subject-texts.ts";
import { WildcardPattern } from "../patterns/wildcard-pattern.ts";

/** Characters of text times characters of content. */
const SHORT_SEARCH = 16_384;
const SEARCHED_A_STEP = 64;

/**
 * For deny and ask: whether any part of the command, under any of its names, fits; words that only the run can tell
 * fit everything, and so does a command that cannot be read.
 */
export function restrictsCommand(content: string, subject: CommandSubject): boolean {
  if (!subject.command.isReadable) return true;
  const normal = content.trim().replace(/\s+/g, " ").toLowerCase();
  return normal.endsWith(":*")
    ? restrictsPrefix(normal.slice(0, -":*".length), subject)
    : restrictsPattern(normal, subject);
}

/** For allow: a part as it was written and in full. A part that writes to a file needs a rule with a `>`. */
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
  // Ends before the first wildcard or escape.
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

/** The runtime's own search is fast for short texts, and not linear for long ones. */
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
