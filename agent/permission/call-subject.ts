// Extracts the part of a call that permission rules are matched against: the argument that its tool names, parsed as
// the tool's rule syntax says.
import { MAX_RULE_STEPS } from "../../protocol/permission/limits.ts";
import { exactText } from "../exact-number.ts";
import type { ToolDeclaration } from "../ports.ts";
import { StepBudget } from "../step-budget.ts";
import { readCommandSubject, type CommandSubject } from "./commands/command-subject.ts";
import { normalizePath, readPath, type PathReadings } from "./paths/normalize-path.ts";
import { PathTexts } from "./paths/path-texts.ts";
import { readNestedCommands } from "./commands/read-nested-commands.ts";
import { SubjectTexts } from "./patterns/subject-texts.ts";

export type CallSubject =
  /** The tool names no argument: rules with content match nothing. */
  | { readonly type: "none" }
  /** The argument is missing or has a type that rules cannot read. */
  | { readonly type: "unreadable"; readonly isMissing: boolean }
  | {
      readonly type: "texts";
      readonly syntax: "exact" | "glob";
      readonly texts: readonly string[];
      readonly search: SubjectTexts;
    }
  | {
      readonly type: "paths";
      readonly paths: readonly PathReadings[];
      readonly search: PathTexts;
      /** The base of relative paths. */
      readonly base: string | undefined;
    }
  | ({ readonly type: "command" } & CommandSubject);

/**
 * Every rule is matched against every item, so that a long list would block the session for seconds. A longer one
 * counts as unreadable.
 */
export const MAX_LISTED_ARGUMENTS = 200;
/** Characters of an argument that rules read, all items together: a thousand rules may scan each of them. */
export const MAX_ARGUMENT_CHARACTERS = 131_072;

/**
 * An argument may be a text, a number, a boolean, or a list of these; for `command` only a text.
 * @param calls Calls of the turn, which share the steps for matching rules.
 */
export function readSubject(
  tool: ToolDeclaration,
  input: unknown,
  workingDirectories: readonly string[],
  calls = 1,
): CallSubject {
  if (tool.rule_argument === undefined) return { type: "none" };
  const argument = readPointer(input, tool.rule_argument);
  const syntax = tool.rule_syntax ?? "exact";
  const budget = new StepBudget(Math.floor(MAX_RULE_STEPS / calls));
  if (syntax === "command") {
    if (typeof argument !== "string") return unreadable(argument);
    return { type: "command", ...readCommandSubject(readNestedCommands(argument), budget) };
  }
  const texts = readTexts(argument);
  if (texts === null) return unreadable(argument);
  if (syntax !== "path") {
    return { type: "texts", syntax, texts, search: new SubjectTexts(texts, budget) };
  }
  const [first] = workingDirectories;
  const base = first === undefined ? undefined : normalizePath(first, undefined);
  const paths = texts.map((text) => readPath(text, base));
  return { type: "paths", paths, search: new PathTexts(paths, budget), base };
}

/** RFC 6901; undefined when there is nothing. */
function readPointer(value: unknown, pointer: string): unknown {
  let found = value;
  for (const token of pointer.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}

function readTexts(argument: unknown): readonly string[] | null {
  const list: readonly unknown[] = Array.isArray(argument) ? argument : [argument];
  if (list.length > MAX_LISTED_ARGUMENTS) return null;
  const texts: string[] = [];
  let characters = 0;
  for (const item of list) {
    const text = textOf(item);
    if (text === null) return null;
    texts.push(text);
    characters += text.length;
  }
  const isReadable = texts.length > 0 && characters <= MAX_ARGUMENT_CHARACTERS;
  return isReadable ? texts : null;
}

/** A number as it is written, with all digits. */
function textOf(item: unknown): string | null {
  const isScalar =
    typeof item === "string" || typeof item === "number" || typeof item === "boolean";
  return isScalar ? String(item) : exactText(item);
}

function unreadable(argument: unknown): CallSubject {
  return { type: "unreadable", isMissing: argument === undefined || argument === null };
}
