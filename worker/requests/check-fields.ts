// Converts zod issues to the problem's `errors`: one entry per position, as precise as possible.
import type * as z from "zod";

import type { FieldError } from "../../protocol/field-error.ts";
import { MAX_FIELD_ERRORS } from "../../protocol/requests/limits.ts";
import { didYouMean } from "../../protocol/words/suggest-name.ts";
import { describeIssue, describeType } from "../../protocol/words/describe-issue.ts";
import { toPointer } from "./to-pointer.ts";

type Issue = z.core.$ZodIssue;
interface Place {
  readonly path: readonly PropertyKey[];
  readonly detail: string;
  /** The name of a field that is not known, and the names of those that are. */
  readonly unknown?: { readonly name: string; readonly known: readonly string[] };
  /** The type that was expected, where the type is wrong. */
  readonly expected?: string;
  readonly input?: unknown;
}

type KnownFields = ReadonlyMap<readonly string[], readonly string[]>;

type Parsed<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Validates a value of a request.
 * @param root Path of the value in the request: empty for the body, `["query"]` for the query.
 */
export function checkFields<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  root: readonly PropertyKey[] = [],
): Parsed<z.output<Schema>> {
  // An issue of unknown fields does not say which ones are known; its list is the key by which they are found again.
  const known = new Map<readonly string[], readonly string[]>();
  const parsed = schema.safeParse(value, {
    reportInput: true,
    error: (issue) => {
      if (issue.code === "unrecognized_keys") known.set(issue.keys, fieldsOf(issue.inst));
      return describeIssue(issue);
    },
  });
  if (parsed.success) return { ok: true, value: parsed.data };
  const places = parsed.error.issues.flatMap((issue) => toPlaces(issue, root, known));
  const errors = places
    .slice(0, MAX_FIELD_ERRORS)
    .map((place) => ({ pointer: toPointer(place.path), detail: wordsOf(place) }));
  return { ok: false, errors };
}

/** The names of an object schema's fields. */
function fieldsOf(schema: unknown): readonly string[] {
  const shape = (schema as Partial<z.core.$ZodObject> | undefined)?._zod?.def.shape;
  return shape ? Object.keys(shape) : [];
}

/** Suggestions are looked for only for the places that are shown. */
function wordsOf({ detail, unknown }: Place): string {
  return unknown ? `${detail}${didYouMean(unknown.name, unknown.known)}` : detail;
}

function toPlaces(
  issue: Issue,
  parent: readonly PropertyKey[],
  known: KnownFields,
): readonly Place[] {
  const path = [...parent, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    const fields = known.get(issue.keys) ?? [];
    return issue.keys.map((name) => ({
      path: [...path, name],
      detail: "is not a known field",
      unknown: { name, known: fields },
    }));
  }
  if (issue.code === "invalid_type") {
    return [{ path, detail: issue.message, expected: issue.expected, input: issue.input }];
  }
  if (issue.code !== "invalid_union") return [{ path, detail: issue.message }];
  const branches = issue.errors
    .map((issues) => issues.flatMap((inner) => toPlaces(inner, path, known)))
    .filter((places) => places.length > 0);
  const merged = branches.length > 0 ? mergeTypes(branches, path) : null;
  if (merged) return merged;
  // A branch of another type than the value was not meant: an empty list is no string.
  const meant = branches.filter((places) => !isOtherType(places, path));
  const [first, ...rest] = meant;
  return first ? rest.reduce(closer, first) : [{ path, detail: issue.message }];
}

function isOtherType([place, ...others]: readonly Place[], path: readonly PropertyKey[]): boolean {
  return place?.expected !== undefined && others.length === 0 && place.path.length === path.length;
}

/** One sentence for a value that has the type of no alternative; null when it has that of one. */
function mergeTypes(
  branches: readonly (readonly Place[])[],
  path: readonly PropertyKey[],
): readonly Place[] | null {
  const expected: string[] = [];
  let input: unknown;
  for (const places of branches) {
    const [place] = places;
    if (place?.expected === undefined || !isOtherType(places, path)) return null;
    expected.push(place.expected);
    input = place.input;
  }
  return [{ path, detail: describeType(expected, input) }];
}

/**
 * Chooses the union alternative that the client probably meant: the one whose errors are deeper, then the one with
 * fewer.
 */
function closer(left: readonly Place[], right: readonly Place[]): readonly Place[] {
  const difference = depth(right) - depth(left);
  if (difference !== 0) return difference > 0 ? right : left;
  return right.length < left.length ? right : left;
}

function depth(places: readonly Place[]): number {
  // A reduce, because `Math.max(...)` has an argument limit and a body may have many errors.
  return places.reduce((deepest, { path }) => Math.max(deepest, path.length), 0);
}
