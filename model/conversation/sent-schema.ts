// Schemas of tools as every vendor takes them: of an object with properties, without a choice at the top, and each array
// with items. What that leaves out is checked all the same, by the schema as it was given, when a call is made.
import { SCHEMA, SCHEMA_LIST, SCHEMA_MAP } from "../../protocol/schemas/find-schema-problem.ts";
import { fieldsIn, type JsonFields } from "../stream/json-fields.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

/** Refused by OpenAI and Anthropic at the top of a schema. */
const AT_TOP = ["oneOf", "anyOf", "allOf", "enum", "const", "not", "if", "then", "else", "$ref"];

/** By the schema as it was given: each request has all of the agent's. */
const sent = new WeakMap<JsonFields, JsonFields>();

export function sentSchema(schema: JsonFields): JsonFields {
  const known = sent.get(schema);
  if (known) return known;
  const made = withItems(objectOf(schema, schema, 0));
  sent.set(schema, made);
  return made;
}

/** References and choices inside choices that are followed. */
const MAX_DEPTH = 8;

/** One object with the properties of all variants; required is what each of them requires. */
function objectOf(schema: JsonFields, root: JsonFields, depth: number): JsonFields {
  const isPlain = schema["type"] === "object" && isJsonObject(schema["properties"]);
  if (isPlain && !AT_TOP.some((keyword) => keyword in schema)) return schema;
  const own = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !AT_TOP.includes(keyword)),
  );
  const read = (part: JsonFields): JsonFields =>
    depth < MAX_DEPTH ? objectOf(part, root, depth + 1) : {};
  const target = resolve(schema["$ref"], root);
  const all = [...(target ? [target] : []), ...fieldsIn(schema["allOf"])].map(read);
  const choices = [schema["oneOf"], schema["anyOf"]].map((list) => fieldsIn(list).map(read));
  const parts = [own, ...all, ...choices.flat()];
  const required = [
    ...[own, ...all].flatMap(requiredOf),
    ...choices.flatMap(([first, ...others]) =>
      first
        ? requiredOf(first).filter((name) => others.every((one) => requiredOf(one).includes(name)))
        : [],
    ),
  ];
  const { additionalProperties, required: _required, ...rest } = own;
  return {
    ...rest,
    type: "object",
    properties: mergedProperties(parts.map(propertiesOf)),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    // Beside variants it would forbid their properties.
    ...(additionalProperties !== undefined && parts.length === 1 && { additionalProperties }),
  };
}

/** A reference within the schema. */
function resolve(reference: unknown, root: JsonFields): JsonFields | null {
  if (typeof reference !== "string" || !reference.startsWith("#")) return null;
  let found: unknown = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return isJsonObject(found) ? found : null;
}

function propertiesOf({ properties }: JsonFields): JsonFields {
  return isJsonObject(properties) ? properties : {};
}

function requiredOf({ required }: JsonFields): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/** A property that several parts have, each otherwise, may be as any of them says. */
function mergedProperties(parts: readonly JsonFields[]): JsonFields {
  const found = new Map<string, Map<string, unknown>>();
  for (const part of parts) {
    for (const [name, schema] of Object.entries(part)) {
      const forms = found.get(name) ?? new Map<string, unknown>();
      found.set(name, forms.set(JSON.stringify(schema), schema));
    }
  }
  return Object.fromEntries(
    [...found].map(([name, forms]) => {
      const [first, ...others] = forms.values();
      return [name, others.length === 0 ? first : { anyOf: [first, ...others] }];
    }),
  );
}

/** Arrays without items get any; a list of items, as older drafts have it, is `prefixItems`. */
function withItems(schema: JsonFields): JsonFields {
  const { type } = schema;
  const isArray = type === "array" || (Array.isArray(type) && type.includes("array"));
  const { items, additionalItems, ...others } = schema;
  const isList = Array.isArray(items);
  const itself: JsonFields = isList
    ? { ...others, prefixItems: items, items: additionalItems ?? {} }
    : isArray && items === undefined
      ? { ...schema, items: {} }
      : schema;
  return Object.fromEntries(
    Object.entries(itself).map(([keyword, value]) => [keyword, innerOf(keyword, value)]),
  );
}

function innerOf(keyword: string, value: unknown): unknown {
  if (SCHEMA.includes(keyword)) return isJsonObject(value) ? withItems(value) : value;
  if (SCHEMA_LIST.includes(keyword) && Array.isArray(value)) {
    return value.map((one: unknown) => (isJsonObject(one) ? withItems(one) : one));
  }
  if (!SCHEMA_MAP.includes(keyword) || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, isJsonObject(one) ? withItems(one) : one]),
  );
}
