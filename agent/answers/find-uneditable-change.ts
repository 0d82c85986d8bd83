// Finds a change that an edit of a call's input may not make: a tool declares by JSON pointers which members a person
// may edit.
import { exactText } from "../exact-number.ts";
import type { ToolDeclaration } from "../ports.ts";

/** The steps of a JSON pointer. */
type Path = readonly string[];

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
    return isSameScalar(before, after) ? null : path;
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

/** A number that no double holds is compared by its digits. */
function isSameScalar(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  const digits = exactText(before);
  return digits !== null && digits === exactText(after);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && exactText(value) === null;
}

function stepsOf(pointer: string): Path {
  const [, ...steps] = pointer.split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function escapeStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}
