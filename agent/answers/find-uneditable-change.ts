// Finds a change that an edit of a call's input may not make: a tool declares by JSON pointers which members a person
// may edit.
import type { ToolDeclaration } from "../ports.ts";

/** The steps of a JSON pointer. */
type Path = readonly string[];

/** From here on numbers may have lost digits when they were parsed, so two of them are never equal. */
const FIRST_INEXACT = 2 ** 53;

/**
 * The first place at which an edited input differs from the original one and that no pointer covers, as a JSON pointer;
 * null when there is none. A pointer covers its member, present or absent, and all below it.
 * @param after Its depth is bounded by the caller.
 * @param editable Pointers; all may be edited when left out.
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
  /** The remaining steps of the pointers that lead through this place. */
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

/** Undefined, which is no JSON value, for a missing member. */
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
