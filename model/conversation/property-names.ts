// Names of properties as a wire takes them. One that it refuses has another name in the schema that is sent, and in the
// inputs of calls that are sent back; the log, people and the tool itself know the true one
// (docs/decisions/2026-11-28-property-names.md).
import { SCHEMA, SCHEMA_LIST, SCHEMA_MAP } from "../../protocol/schemas/find-schema-problem.ts";
import { exactText } from "../../agent/exact-number.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { shortHash } from "../stream/short-hash.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

/** The rule of a wire for names. */
export interface NameRule {
  readonly accepted: RegExp;
  readonly notIn: RegExp;
  readonly maxCharacters: number;
}

/** The names of one tool that are sent in another form. */
export interface PropertyNames {
  /** The names that are sent, by the true ones. */
  readonly sent: ReadonlyMap<string, string>;
  /** The true ones, by those that are sent. */
  readonly own: ReadonlyMap<string, string>;
}

/** Keywords whose value has names of properties as its members, beside schemas. */
const BY_NAME: readonly string[] = ["properties", "dependentSchemas", "dependencies"];
/** Keywords with values that a schema allows or shows. */
const VALUES: readonly string[] = ["const", "default", "enum", "example", "examples"];

/** Null for a schema of which every name is accepted, as almost all are. */
export function propertyNames(schema: JsonFields, rule: NameRule): PropertyNames | null {
  const all = new Set<string>();
  collect(schema, all);
  const refused = [...all].filter((name) => !rule.accepted.test(name));
  if (refused.length === 0) return null;
  const sent = new Map<string, string>();
  const own = new Map<string, string>();
  for (const name of refused) {
    const given = sentName(name, rule, (one) => all.has(one) || own.has(one));
    sent.set(name, given);
    own.set(given, name);
  }
  return { sent, own };
}

/**
 * With a hash, so that it depends on the name alone, and no member of an object without declared names is taken for one.
 */
function sentName(
  name: string,
  { notIn, maxCharacters }: NameRule,
  isTaken: (name: string) => boolean,
): string {
  const words = name.replaceAll(notIn, "_").replaceAll(/__+/g, "_").replace(/^_|_$/g, "");
  for (let salt = ""; ; salt += "/") {
    const hash = shortHash(`${salt}${name}`);
    const stem = words.slice(0, maxCharacters - hash.length - 1);
    const given = `${stem}${stem === "" ? "p" : ""}_${hash}`;
    if (!isTaken(given)) return given;
  }
}

function collect(schema: JsonFields, names: Set<string>): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (BY_NAME.includes(keyword) && isJsonObject(value)) {
      for (const name of Object.keys(value)) names.add(name);
    }
    for (const inner of innerSchemas(keyword, value)) collect(inner, names);
  }
}

function innerSchemas(keyword: string, value: unknown): readonly JsonFields[] {
  if (SCHEMA.includes(keyword)) return isJsonObject(value) ? [value] : [];
  if (SCHEMA_LIST.includes(keyword)) return Array.isArray(value) ? value.filter(isJsonObject) : [];
  const isMap = SCHEMA_MAP.includes(keyword) || keyword === "dependencies";
  return isMap && isJsonObject(value) ? Object.values(value).filter(isJsonObject) : [];
}

/** The schema as it is sent. A property with another name says its true one, by which errors speak of it. */
export function withSentNames(schema: JsonFields, names: PropertyNames): JsonFields {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      keywordValue(keyword, value, names),
    ]),
  );
}

function keywordValue(keyword: string, value: unknown, names: PropertyNames): unknown {
  const inner = (one: unknown): unknown => (isJsonObject(one) ? withSentNames(one, names) : one);
  if (keyword === "$ref" && typeof value === "string") return withSentPointer(value, names);
  if (keyword === "required") return nameList(value, names);
  if (VALUES.includes(keyword)) return withSentValue(value, names);
  if (SCHEMA.includes(keyword)) return inner(value);
  if (SCHEMA_LIST.includes(keyword)) return Array.isArray(value) ? value.map(inner) : value;
  if (!isJsonObject(value)) return value;
  if (keyword === "dependentRequired" || BY_NAME.includes(keyword)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const given = names.sent.get(name);
        const sent = Array.isArray(one) ? nameList(one, names) : inner(one);
        const isNamed = given !== undefined && keyword === "properties" && isJsonObject(sent);
        return [given ?? name, isNamed ? withTrueName(sent, name) : sent];
      }),
    );
  }
  if (!SCHEMA_MAP.includes(keyword)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]));
}

function withTrueName(schema: JsonFields, name: string): JsonFields {
  const { description } = schema;
  const said = `Its true name is ${JSON.stringify(name)}.`;
  const isSaid = typeof description === "string" && description !== "";
  return { ...schema, description: isSaid ? `${said} ${description}` : said };
}

function nameList(value: unknown, { sent }: PropertyNames): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((name: unknown) => (typeof name === "string" ? (sent.get(name) ?? name) : name));
}

/** A reference to a schema by the names of the properties on its way. */
function withSentPointer(reference: string, { sent }: PropertyNames): string {
  const steps = reference.split("/");
  return steps
    .map((step, index) => {
      if (!BY_NAME.includes(steps[index - 1] ?? "")) return step;
      return sent.get(nameOfStep(step)) ?? step;
    })
    .join("/");
}

function nameOfStep(step: string): string {
  const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Values, such as a call's input, with the names that are sent. */
export function withSentMembers(fields: JsonFields, names: PropertyNames): JsonFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [
      names.sent.get(name) ?? name,
      withSentValue(one, names),
    ]),
  );
}

function withSentValue(value: unknown, names: PropertyNames): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => withSentValue(one, names));
  return isJsonObject(value) && exactText(value) === null ? withSentMembers(value, names) : value;
}
