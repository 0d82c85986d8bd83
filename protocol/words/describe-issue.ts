// The words of validation errors: what is wrong with a value, as a sentence that begins behind its name, such as "must
// be a string, not a number". A schema's own message comes first; this is for all that have none.
import type * as z from "zod";

import { didYouMean } from "./suggest-name.ts";

type RawIssue = z.core.$ZodRawIssue;

/** Values listed in one sentence; more are no help. */
const MAX_LISTED_VALUES = 40;
/** Characters of a field's name that a sentence shows. */
const MAX_SHOWN_NAME = 64;
/** Characters of a pattern that a sentence shows. */
const MAX_SHOWN_PATTERN = 100;

const FORMATS: Readonly<Record<string, string>> = {
  url: "must be an address such as https://shop.example/path",
  datetime: "must be a time in UTC with milliseconds, such as 2026-01-31T12:00:00.000Z",
  date: "must be a date, such as 2026-01-31",
  base64: "must be base64",
  base64url: "must be base64url",
};

const TYPES: Readonly<Record<string, string>> = {
  array: "an array",
  bigint: "a number",
  boolean: "true or false",
  int: "a whole number",
  map: "an object",
  nan: "no number",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};

/** An error map for zod; undefined leaves the words to zod. */
export function describeIssue(issue: RawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case "invalid_type":
      return describeType([String(issue.expected)], input);
    case "invalid_value":
      return describeChoice(issue.values, input);
    case "too_small":
      return describeSize("small", String(issue.origin), issue, input);
    case "too_big":
      return describeSize("big", String(issue.origin), issue, input);
    case "not_multiple_of":
      return `must be a multiple of ${String(issue.divisor)}`;
    case "invalid_format":
      return describeFormat(issue);
    case "invalid_key":
      return "is no name that is accepted here";
    case "invalid_union":
      return describeUnion(issue);
    case "unrecognized_keys":
      return `has a field that is not known: \`${(issue.keys[0] ?? "").slice(0, MAX_SHOWN_NAME)}\``;
    default:
      return "is not accepted";
  }
}

/** @param expected Names of types as zod has them. */
export function describeType(expected: readonly string[], input: unknown): string {
  if (input === undefined) return "is required";
  const types = [...new Set(expected.map((type) => TYPES[type] ?? `of the type ${type}`))];
  const wanted =
    types.length > 1 ? `${types.slice(0, -1).join(", ")} or ${types.at(-1)}` : types[0];
  if (expected.includes("int") && typeof input === "number" && !Number.isNaN(input)) {
    return `must be ${wanted}, not ${input}`;
  }
  const given = nameOf(input);
  return given === null ? `must be ${wanted}` : `must be ${wanted}, not ${given}`;
}

/** Null for what has no name in JSON, such as a query's text that is no number. */
function nameOf(input: unknown): string | null {
  if (input === null) return "null";
  if (Array.isArray(input)) return "an array";
  switch (typeof input) {
    case "string":
      return "a string";
    case "number":
      return Number.isNaN(input) ? null : "a number";
    case "boolean":
      return String(input);
    case "object":
      return "an object";
    default:
      return null;
  }
}

function describeChoice(values: readonly unknown[], input: unknown): string {
  if (input === undefined) return `is required: ${listOf(values)}`;
  const suggestion = typeof input === "string" ? didYouMean(input, values.map(String)) : "";
  return values.length === 1
    ? `must be ${listOf(values)}${suggestion}`
    : `must be one of ${listOf(values)}${suggestion}`;
}

function listOf(values: readonly unknown[]): string {
  const listed = values.slice(0, MAX_LISTED_VALUES).map(String).join(", ");
  const more = values.length - MAX_LISTED_VALUES;
  return more > 0 ? `${listed} and ${more} more` : listed;
}

interface Bounds {
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly inclusive?: boolean;
  readonly exact?: boolean;
}

function describeSize(
  side: "small" | "big",
  origin: string,
  { minimum, maximum, inclusive = true, exact = false }: Bounds,
  input: unknown,
): string {
  const bound = String(side === "small" ? minimum : maximum);
  if (origin === "string" || origin === "array" || origin === "object") {
    return describeLength(side, origin, { bound, exact }, input);
  }
  if (origin !== "number" && origin !== "int")
    return side === "small" ? "is too small" : "is too large";
  const given = typeof input === "number" ? `, is ${input}` : "";
  if (side === "small") return `must be ${inclusive ? "at least" : "more than"} ${bound}${given}`;
  return `must be ${inclusive ? "at most" : "less than"} ${bound}${given}`;
}

function describeLength(
  side: "small" | "big",
  origin: "string" | "array" | "object",
  { bound, exact }: { readonly bound: string; readonly exact: boolean },
  input: unknown,
): string {
  const size = sizeOf(input);
  if (side === "small" && bound === "1" && size === 0) return "must not be empty";
  const unit = { string: "character", array: "item", object: "member" }[origin];
  const count = `${bound} ${unit}${bound === "1" ? "" : "s"}`;
  const amount = exact ? "exactly" : side === "small" ? "at least" : "at most";
  const has = size === null ? "" : `, has ${size}`;
  return origin === "string"
    ? `must be ${amount} ${count}${has}`
    : `must have ${amount} ${count}${has}`;
}

function sizeOf(input: unknown): number | null {
  if (typeof input === "string" || Array.isArray(input)) return input.length;
  return typeof input === "object" && input !== null ? Object.keys(input).length : null;
}

function describeFormat(issue: RawIssue & { readonly code: "invalid_format" }): string {
  const { format } = issue;
  const known = FORMATS[String(format)];
  if (known !== undefined) return known;
  if (format === "starts_with") return `must begin with ${String(issue["prefix"])}`;
  const pattern = typeof issue["pattern"] === "string" ? issue["pattern"] : "";
  if (format !== "regex" || pattern === "" || pattern.length > MAX_SHOWN_PATTERN) {
    return "does not have the form that is accepted here";
  }
  return `must match ${pattern}`;
}

/** Of a union that is told apart by a member, such as `type`: the member is missing or has an unknown value. */
function describeUnion(issue: RawIssue & { readonly code: "invalid_union" }): string {
  const { discriminator, options } = issue as { discriminator?: unknown; options?: unknown };
  if (typeof discriminator !== "string" || !Array.isArray(options)) return "is not accepted";
  const { input } = issue;
  const given =
    typeof input === "object" && input !== null && Object.hasOwn(input, discriminator)
      ? (input as Readonly<Record<string, unknown>>)[discriminator]
      : undefined;
  return describeChoice(options, given);
}
