// Checks that a JSON Schema is usable: every keyword has a value of the right type, every reference resolves within the
// schema, and validation terminates. Unknown keywords are ignored, as the standard says.
import {
  MAX_SCHEMA_CHECKS,
  MAX_STRUCTURED_SCHEMA_DEPTH,
  MAX_SCHEMA_POINTER_CHARACTERS,
} from "./limits.ts";
import { findLostReference } from "./find-lost-reference.ts";
import { fewPropertyNames } from "../pattern/few-property-names.ts";
import { readPattern } from "../pattern/read-pattern.ts";
import { isJsonObject } from "../json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];
/** Keywords whose value is a schema. */
export const SCHEMA: readonly string[] = [
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];
/** Keywords whose value is a list of schemas. */
export const SCHEMA_LIST: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];
/** Keywords whose value has schemas by name. */
export const SCHEMA_MAP: readonly string[] = [
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
];
/** Keywords whose subschemas apply to the same value as the schema that contains them. */
const SAME_VALUE = ["allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"];
const COUNTS = [
  "maxContains",
  "maxItems",
  "maxLength",
  "maxProperties",
  "minContains",
  "minItems",
  "minLength",
  "minProperties",
];
const NUMBERS = ["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"];
/** Refused because they change how references resolve, and a schema for structured output needs none of them. */
const IDENTIFIERS = ["$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveRef"];

interface Place {
  readonly keyword: string;
  /** JSON pointer of the schema, such as `#/properties/name`. */
  readonly pointer: string;
  readonly schema: unknown;
}

export interface SchemaRules {
  /**
   * For a tool's input schema, which may come from any generator: allows identifiers, definitions anywhere and a list
   * as `items`. The cost of its references is counted during validation instead.
   */
  readonly isOfTool?: boolean;
  /** Shared by all schemas of one request. */
  readonly knowsProperty?: (name: string) => boolean;
}

/** @returns What is wrong with the schema and where, or null. Cost: linear in the schema's size. */
export function findSchemaProblem(
  schema: Fields,
  { isOfTool = false, knowsProperty = fewPropertyNames() }: SchemaRules = {},
): string | null {
  const schemas = new Map<string, Fields>();
  const waiting: (Place & { depth: number })[] = [{ keyword: "", pointer: "#", schema, depth: 1 }];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { pointer, depth } = place;
    if (typeof place.schema === "boolean") {
      schemas.set(pointer, {});
      continue;
    }
    if (!isJsonObject(place.schema)) return `${pointer} is no schema: give an object or a boolean`;
    if (depth > MAX_STRUCTURED_SCHEMA_DEPTH) {
      return `${pointer} is nested too deep: ${MAX_STRUCTURED_SCHEMA_DEPTH} levels at most`;
    }
    if (pointer.length > MAX_SCHEMA_POINTER_CHARACTERS) {
      return `${pointer.slice(0, 100)}… is longer than ${MAX_SCHEMA_POINTER_CHARACTERS} characters: give shorter names`;
    }
    const problem = findKeywordProblem(place.schema, { isOfTool, knowsProperty });
    if (problem) return `${pointer}/${problem}`;
    schemas.set(pointer, place.schema);
    for (const inner of innerSchemas(place.schema, pointer)) {
      waiting.push({ ...inner, depth: depth + 1 });
    }
  }
  return (
    (isOfTool ? findLostReference(schema, schemas) : null) ??
    findReferenceProblem(schemas, isOfTool)
  );
}

/** The problem text begins with the keyword. */
function findKeywordProblem(schema: Fields, rules: Required<SchemaRules>): string | null {
  for (const [keyword, value] of Object.entries(schema)) {
    const expected = expectedValue(keyword, value, rules);
    if (expected !== null) return `${keyword}: ${expected}`;
  }
  return null;
}

/** The expected type of the keyword's value, or null when the value has it. */
function expectedValue(
  keyword: string,
  value: unknown,
  { isOfTool, knowsProperty }: Required<SchemaRules>,
): string | null {
  if (IDENTIFIERS.includes(keyword)) {
    return isOfTool ? null : "is not supported; use $ref with $defs";
  }
  if (SCHEMA_LIST.includes(keyword)) return unless(isList(value) && value.length > 0, "schemas");
  if (SCHEMA_MAP.includes(keyword)) {
    if (!isJsonObject(value)) return "give an object of schemas";
    if (keyword !== "patternProperties") return null;
    return firstPatternProblem(Object.keys(value), knowsProperty);
  }
  if (COUNTS.includes(keyword)) {
    return unless(Number.isInteger(value) && Number(value) >= 0, "a number from 0 up");
  }
  if (NUMBERS.includes(keyword)) {
    const isFlag = isOfTool && keyword.startsWith("exclusive") && typeof value === "boolean";
    return unless(isFlag || typeof value === "number", "a number");
  }
  switch (keyword) {
    case "items":
      return unless(isOfTool || !isList(value), "a schema; a list is prefixItems");
    case "type":
      return unless(areTypes(value), `one of ${TYPES.join(", ")}, or a list of them`);
    case "required":
      return unless(isList(value) && value.every((name) => typeof name === "string"), "names");
    case "enum":
      return unless(isList(value) && value.length > 0, "a list of values");
    case "pattern":
      if (typeof value !== "string") return "give a regular expression";
      return firstPatternProblem([value], knowsProperty);
    case "multipleOf":
      return unless(typeof value === "number" && value > 0, "a number above 0");
    case "$ref":
      if (isOfTool) return unless(typeof value === "string", "a reference");
      return unless(typeof value === "string" && value.startsWith("#"), "a reference within: #/…");
    default:
      return null;
  }
}

function unless(isRight: boolean, expected: string): string | null {
  return isRight ? null : `give ${expected}`;
}

function areTypes(value: unknown): boolean {
  const types = isList(value) ? value : [value];
  return types.length > 0 && types.every((type) => TYPES.includes(String(type)));
}

function firstPatternProblem(
  patterns: readonly string[],
  knowsProperty: (name: string) => boolean,
): string | null {
  for (const pattern of patterns) {
    const read = readPattern(pattern, knowsProperty);
    if (!read.ok) return `${JSON.stringify(pattern.slice(0, 100))} ${read.problem}`;
  }
  return null;
}

function* innerSchemas(schema: Fields, pointer: string): Generator<Place, void> {
  for (const [keyword, value] of Object.entries(schema)) {
    const place = `${pointer}/${escapeStep(keyword)}`;
    const isOldList = keyword === "items" && Array.isArray(value);
    if (SCHEMA.includes(keyword) && !isOldList) yield { keyword, pointer: place, schema: value };
    if (isOldList || SCHEMA_LIST.includes(keyword) || SCHEMA_MAP.includes(keyword)) {
      for (const [name, inner] of Object.entries(value as object)) {
        yield { keyword, pointer: `${place}/${escapeStep(name)}`, schema: inner };
      }
    }
  }
}

/**
 * Follows references and subschemas that apply to the same value. A cycle would never terminate, and a wide fan-out
 * would take too long.
 */
function findReferenceProblem(
  schemas: ReadonlyMap<string, Fields>,
  isOfTool: boolean,
): string | null {
  const checks = new Map<string, number>();
  const open = new Set<string>();
  let problem: string | null = null;
  for (const pointer of schemas.keys()) {
    if (count(pointer) > MAX_SCHEMA_CHECKS && !isOfTool)
      problem ??= `${pointer} asks too much of one value`;
    if (problem !== null) return problem;
  }
  return null;

  function count(pointer: string): number {
    const known = checks.get(pointer);
    if (known !== undefined) return known;
    if (open.has(pointer)) problem ??= `${pointer} refers to itself for the same value`;
    const schema = schemas.get(pointer);
    if (!schema || problem !== null) return 0;
    open.add(pointer);
    let sum = 1;
    for (const inner of innerSchemas(schema, pointer)) {
      if (SAME_VALUE.includes(inner.keyword)) sum += count(inner.pointer);
    }
    const reference = schema["$ref"];
    if (typeof reference === "string") {
      const target = normalize(reference);
      if (!schemas.has(target) && !isOfTool)
        problem ??= `${pointer}/$ref: there is no schema at ${reference}`;
      sum += count(target);
    }
    open.delete(pointer);
    checks.set(pointer, sum);
    return sum;
  }
}

function normalize(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

function escapeStep(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
