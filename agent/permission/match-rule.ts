// Finds the rules that match a call. Deny and ask rules match broadly, allow rules narrowly: an uncertain match never
// allows.
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { CallSubject } from "./call-subject.ts";
import { StepsSpent, type StepBudget } from "../step-budget.ts";
import { compileGlob, type GlobFit } from "./patterns/glob.ts";
import { grantsPart, restrictsCommand } from "./commands/match-command.ts";
import { grantsPath, restrictsPath } from "./paths/match-path.ts";
import { isReadOnlyPart } from "./commands/read-only-command.ts";
import type { SubjectTexts } from "./patterns/subject-texts.ts";
import { WildcardPattern } from "./patterns/wildcard-pattern.ts";

/** The first deny or ask rule that matches any meaning of any part of the call. */
export function findRestriction(
  rules: readonly PermissionRule[],
  toolName: string,
  behavior: "deny" | "ask",
  subject: CallSubject,
): PermissionRule | null {
  const matching = rules.find(
    (rule) =>
      rule.tool_name === toolName &&
      rule.behavior === behavior &&
      (!rule.rule_content || isRestricting(rule.rule_content, subject)),
  );
  return matching ?? null;
}

/**
 * The first of the allow rules that together match every part of the call. Read-only parts of a command need no rule.
 */
export function findGrant(
  rules: readonly PermissionRule[],
  toolName: string,
  subject: CallSubject,
): PermissionRule | null {
  const allowing = rules.filter((rule) => rule.tool_name === toolName && rule.behavior === "allow");
  return withinSteps(() => findAmong(allowing, subject), null);
}

function findAmong(
  allowing: readonly PermissionRule[],
  subject: CallSubject,
): PermissionRule | null {
  const whole = allowing.find((rule) => !rule.rule_content);
  if (whole) return whole;
  switch (subject.type) {
    case "none":
    case "unreadable":
      return null;
    case "texts":
      return findForEach(subject.texts, allowing, subject.search.budget, (content) =>
        fitsText(content, subject, (fit) => fit === "yes"),
      );
    case "paths":
      return findForEach(subject.paths, allowing, subject.search.budget, (content) =>
        grantsPath(content, subject.base, subject.search),
      );
    case "command": {
      const everything = allowing.find((rule) => rule.rule_content?.trim() === "*");
      if (everything) return everything;
      const { isReadable, constructs, hasNestedText, parts } = subject.command;
      const isPlain = [...constructs].every((construct) => construct === "simple_expansion");
      if (!isReadable || !isPlain || hasNestedText) return null;
      const acting = parts.filter((part) => !isReadOnlyPart(part));
      return findForEach(acting.length > 0 ? acting : parts, allowing, subject.budget, (content) =>
        grantsPart(content, subject.sources),
      );
    }
    default:
      return subject satisfies never;
  }
}

function isRestricting(content: string, subject: CallSubject): boolean {
  return withinSteps(() => restricts(content, subject), true);
}

/** When the steps are spent, the rest counts as its strictest possible outcome. */
function withinSteps<Found>(look: () => Found, strictest: Found): Found {
  try {
    return look();
  } catch (error) {
    if (error instanceof StepsSpent) return strictest;
    throw error;
  }
}

function restricts(content: string, subject: CallSubject): boolean {
  switch (subject.type) {
    case "none":
      return false;
    case "unreadable":
      // An unreadable argument must not evade a rule.
      return true;
    case "texts":
      return subject.texts.some(fitsText(content, subject, (fit) => fit !== "no"));
    case "paths":
      return subject.paths.some(restrictsPath(content, subject.base, subject.search));
    case "command":
      return restrictsCommand(content, subject);
    default:
      return subject satisfies never;
  }
}

function fitsText(
  content: string,
  { syntax, search }: { readonly syntax: "exact" | "glob"; readonly search: SubjectTexts },
  accepts: (fit: GlobFit) => boolean,
): (text: string) => boolean {
  if (syntax === "exact") return (text) => text === content;
  const pattern = new WildcardPattern(content, compileGlob, search);
  return (text) => accepts(pattern.fits(text));
}

/** The rule that matches the first part, provided that each part has one. */
function findForEach<Part>(
  parts: readonly Part[],
  rules: readonly PermissionRule[],
  budget: StepBudget,
  grants: (content: string) => (part: Part) => boolean,
): PermissionRule | null {
  const tests = rules.map((rule) => ({ rule, test: grants(rule.rule_content ?? "") }));
  let first: PermissionRule | null = null;
  for (const part of parts) {
    const found = tests.find(({ test }) => {
      budget.spend(1);
      return test(part);
    });
    if (!found) return null;
    first ??= found.rule;
  }
  return first;
}
