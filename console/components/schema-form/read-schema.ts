// The JSON Schema of a tool, as a form can draw it. It is written by the tool's author: any member of it may be of
// any kind, and references lead anywhere.
import { isJsonObject, type JsonSchema } from "./json-schema.ts";

/** Levels and references that are followed; below them a value is JSON text. */
const MAX_LEVELS = 8;

/**
 * Members that a form draws, with references within the schema put in. What it cannot draw becomes a schema of any value,
 * which is a field of JSON text; the platform checks the whole in the end.
 */
export function readSchema(
  schema: unknown,
  root: unknown = schema,
  levels = MAX_LEVELS,
): JsonSchema {
  if (!isJsonObject(schema) || levels === 0) return {};
  const { $ref } = schema;
  if (typeof $ref === "string") {
    const { $ref: _, ...own } = schema;
    const target = findTarget(root, $ref);
    return target ? readSchema({ ...target, ...own }, root, levels - 1) : {};
  }
  const read = (part: unknown) => readSchema(part, root, levels - 1);
  const { title, description, required, properties, items } = schema;
  const options = schema["enum"];
  const isGroup = isJsonObject(properties);
  const isChoice = Array.isArray(options) && options.every((one) => typeof one === "string");
  return {
    ...typeOf(schema["type"], isGroup),
    ...(typeof title === "string" && title.trim() !== "" && { title }),
    ...(typeof description === "string" && { description }),
    ...(isChoice && { enum: options as readonly string[] }),
    ...(isGroup && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, read(part)]),
      ),
    }),
    ...(Array.isArray(required) && {
      required: required.filter((name): name is string => typeof name === "string"),
    }),
    ...(isJsonObject(items) && { items: read(items) }),
    ...numbersOf(schema),
  };
}

const TYPES: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
]);

/** One type, where there is one beside null. */
function typeOf(type: unknown, isGroup: boolean): Pick<JsonSchema, "type"> {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  const [only] = types as readonly unknown[];
  if (types.length === 1 && TYPES.has(only)) return { type: only as string };
  return isGroup ? { type: "object" } : {};
}

const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "maxLength", "maxItems"] as const;

function numbersOf(schema: Readonly<Record<string, unknown>>): Partial<JsonSchema> {
  return Object.fromEntries(
    NUMBERS.flatMap((name) => (typeof schema[name] === "number" ? [[name, schema[name]]] : [])),
  );
}

/** Schema at a pointer within the whole; undefined for a place that is not there, and for any other reference. */
function findTarget(
  root: unknown,
  reference: string,
): Readonly<Record<string, unknown>> | undefined {
  if (!reference.startsWith("#/")) return undefined;
  let found: unknown = root;
  for (const part of reference.slice(2).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isJsonObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return isJsonObject(found) ? found : undefined;
}
