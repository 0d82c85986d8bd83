import type { FieldError } from "../../protocol/field-error.ts";

/** The detail of a problem with the first invalid place in the request, and how many more there are. */
export function describeProblem(detail: string, errors: readonly FieldError[]): string {
  const [first] = errors;
  if (!first) return detail;
  const place = first.detail === detail ? first.pointer : `${first.pointer}: ${first.detail}`;
  const more = errors.length > 1 ? `; ${errors.length - 1} more in errors` : "";
  return `${detail} (${place}${more})`;
}
