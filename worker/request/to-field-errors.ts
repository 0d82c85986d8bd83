// Converts zod issues to the problem's `errors`: one entry per position, as precise as possible.
import type { z } from "zod";

import type { FieldError } from "../../protocol/errors.ts";
import { MAX_FIELD_ERRORS } from "../../protocol/limits/requests.ts";
import { toPointer } from "./to-pointer.ts";

type Issue = z.core.$ZodIssue;
interface Place {
  readonly path: readonly PropertyKey[];
  readonly detail: string;
}

/** @param root Path of the value in the request: empty for the body, `["query"]` for the query. */
export function toFieldErrors(
  error: z.core.$ZodError,
  root: readonly PropertyKey[] = [],
): readonly FieldError[] {
  return error.issues
    .flatMap((issue) => toPlaces(issue, root))
    .slice(0, MAX_FIELD_ERRORS)
    .map(({ path, detail }) => ({ pointer: toPointer(path), detail }));
}

function toPlaces(issue: Issue, parent: readonly PropertyKey[]): readonly Place[] {
  const path = [...parent, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...path, key], detail: "this field is not known" }));
  }
  if (issue.code !== "invalid_union") return [{ path, detail: issue.message }];
  const branches = issue.errors.map((issues) => issues.flatMap((inner) => toPlaces(inner, path)));
  const [first, ...rest] = branches.filter((places) => places.length > 0);
  if (first) return rest.reduce(closer, first);
  const options = "options" in issue ? (issue.options ?? []) : [];
  if (options.length === 0) return [{ path, detail: issue.message }];
  const detail = `this type is not accepted here; send ${options.map(String).join(", ")}`;
  return [{ path, detail }];
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
