// Which rules match a call. Deny and ask are read broadly, allow narrowly: what is in doubt is never let through.
import type { PermissionRule } from "../../protocol/permission.ts";
import type { CallSubject } from "./call-subject.ts";
import { compileGlob, matchGlob, toCodePoints } from "./glob.ts";
import { grantsPart, restrictsCommand } from "./match-command.ts";
import { grantsPath, restrictsPath } from "./match-path.ts";
import { isReadOnlyPart } from "./read-only-command.ts";

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
      (!rule.rule_content || restricts(rule.rule_content, subject)),
  );
  return matching ?? null;
}

/**
 * The first of the allow rules that together match every part of the call. Parts of a command that only look need
 * no rule.
 */
export function findGrant(
  rules: readonly PermissionRule[],
  toolName: string,
  subject: CallSubject,
): PermissionRule | null {
  const allowing = rules.filter((rule) => rule.tool_name === toolName && rule.behavior === "allow");
  const whole = allowing.find((rule) => !rule.rule_content);
  if (whole) return whole;
  switch (subject.type) {
    case "none":
    case "unreadable":
      return null;
    case "texts":
      return findForEach(subject.texts, allowing, (content, text) =>
        grantsText(content, text, subject.syntax),
      );
    case "paths":
      return findForEach(subject.paths, allowing, (content, path) =>
        grantsPath(content, path, subject.base),
      );
    case "command": {
      const everything = allowing.find((rule) => rule.rule_content?.trim() === "*");
      if (everything) return everything;
      const { isReadable, constructs, hasNestedText, parts } = subject.command;
      const isPlain = [...constructs].every((construct) => construct === "simple_expansion");
      if (!isReadable || !isPlain || hasNestedText) return null;
      const acting = parts.filter((part) => !isReadOnlyPart(part));
      return findForEach(acting.length > 0 ? acting : parts, allowing, grantsPart);
    }
    default:
      return subject satisfies never;
  }
}

function restricts(content: string, subject: CallSubject): boolean {
  switch (subject.type) {
    case "none":
      return false;
    case "unreadable":
      // A rule must not be dodged by hiding what it looks at.
      return true;
    case "texts":
      return subject.texts.some((text) => restrictsText(content, text, subject.syntax));
    case "paths":
      return subject.paths.some((path) => restrictsPath(content, path, subject.base));
    case "command":
      return restrictsCommand(content, subject);
    default:
      return subject satisfies never;
  }
}

function restrictsText(content: string, text: string, syntax: "exact" | "glob"): boolean {
  if (syntax === "exact") return text === content;
  return matchGlob(compileGlob(content), toCodePoints(text)) !== "no";
}

function grantsText(content: string, text: string, syntax: "exact" | "glob"): boolean {
  if (syntax === "exact") return text === content;
  return matchGlob(compileGlob(content), toCodePoints(text)) === "yes";
}

/** The rule for the first of the parts, provided that each has one. */
function findForEach<Part>(
  parts: readonly Part[],
  rules: readonly PermissionRule[],
  grants: (content: string, part: Part) => boolean,
): PermissionRule | null {
  let first: PermissionRule | null = null;
  for (const part of parts) {
    const rule = rules.find(({ rule_content }) => grants(rule_content ?? "", part));
    if (!rule) return null;
    first ??= rule;
  }
  return first;
}
