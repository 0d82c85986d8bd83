// Which part of a call's input an edit may not change: tools say by JSON pointers which members are a person's to edit.
import type { ToolDeclaration } from "../ports.ts";

/** Where in the input, step by step. */
type Path = readonly string[];

/** A number that may have lost digits when it was read: two of these are not known to be the same. */
const FIRST_INEXACT = 2 ** 53;

/**
 * The first place at which an edited input differs from the one that was asked about and that no pointer covers, as a
 * JSON pointer; null when there is none. A pointer covers its member, whether it is there or not, and all below it.
 * @param after No deeper than an input may be.
 * @param editable Any member when left out.
 */
export function findUneditableChange(
  before: unknown,
  after: unknown,
  editable: ToolDeclaration["editable"],
): string | null {
  if (!editable) return null;
  const path = findChange(before, after, { path: [], open: editable.map(stepsOf) });
  return path && path.map((step) => `/${escapeStep(step)}`).join("");
}

interface Place {
  readonly path: Path;
  /** What is left of the pointers that lead through this place. */
  readonly open: readonly Path[];
}

function findChange(before: unknown, after: unknown, { path, open }: Place): Path | null {
  if (open.some(({ length }) => length === 0)) return null;
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) {
    return before === after && !isInexact(before) ? null : path;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const place = { path: [...path, name], open: openBelow(open, name) };
    const found = findChange(memberOf(before, name), memberOf(after, name), place);
    if (found) return found;
  }
  return null;
}

function openBelow(open: readonly Path[], name: string): readonly Path[] {
  return open.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
}

/** Undefined, which is no value of JSON, where there is none. */
function memberOf(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isInexact(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) >= FIRST_INEXACT;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function stepsOf(pointer: string): Path {
  const [, ...steps] = pointer.split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function escapeStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}
