// The part of JSON Schema that the API's document uses, and how a form reads it.

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly discriminator?: { readonly propertyName: string };
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly format?: string;
}

/** The named schemas of a document. */
export type Definitions = Readonly<Record<string, JsonSchema>>;

export type JsonObject = Readonly<Record<string, unknown>>;

const PREFIX = "#/components/schemas/";
/** References to references; a circle ends there. */
const MAX_STEPS = 10;

/** The schema behind a reference; what is said beside the reference wins. An unknown name allows any value. */
export function resolveSchema(schema: JsonSchema, definitions: Definitions): JsonSchema {
  let resolved = schema;
  for (let step = 0; step < MAX_STEPS && resolved.$ref !== undefined; step += 1) {
    const { $ref, ...own } = resolved;
    const name = $ref.startsWith(PREFIX) ? $ref.slice(PREFIX.length) : "";
    resolved = { ...(Object.hasOwn(definitions, name) ? definitions[name] : {}), ...own };
  }
  return resolved;
}

/** An object, or a choice of objects, that may also be null, without that: it is added and taken away as a whole. Any other schema as it is. */
export function withoutNull(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const { anyOf, ...own } = schema;
  const kinds = anyOf?.flatMap((one) => (one.type === "null" ? [] : [one])) ?? [];
  const [first] = kinds;
  if (!first || kinds.length > 1 || kinds.length === anyOf?.length) return schema;
  const only = resolveSchema(first, definitions);
  return only.properties || only.discriminator ? { ...only, ...own } : schema;
}

/** Value of a member that is added: its default, or the smallest value that has its required members. */
export function initialValue(schema: JsonSchema, definitions: Definitions): unknown {
  const { type, default: given, const: only, ...rest } = resolveSchema(schema, definitions);
  if (given !== undefined) return given;
  if (only !== undefined) return only;
  if (rest.enum) return rest.enum[0];
  const [first] = rest.oneOf ?? rest.anyOf ?? [];
  if (first) return initialValue(first, definitions);
  switch (type) {
    case "string":
      return "";
    case "integer":
    case "number":
      return rest.minimum ?? 0;
    case "boolean":
      return false;
    case "array":
      return [];
    case "null":
      return null;
    default:
      return Object.fromEntries(
        (rest.required ?? []).flatMap((name) => {
          const member = rest.properties?.[name];
          return member ? [[name, initialValue(member, definitions)]] : [];
        }),
      );
  }
}

/**
 * The variants of a choice by the value of the member that tells them apart, such as `http` of a tool's `type`.
 *
 * @returns null when the schema is no such choice.
 */
export function variantsOf(
  { oneOf, discriminator }: JsonSchema,
  definitions: Definitions,
): { readonly name: string; readonly variants: ReadonlyMap<string, JsonSchema> } | null {
  if (!oneOf || !discriminator) return null;
  const name = discriminator.propertyName;
  const variants = oneOf.flatMap((one) => {
    const variant = resolveSchema(one, definitions);
    const value = variant.properties?.[name]?.const;
    return typeof value === "string" ? [[value, variant] as const] : [];
  });
  return { name, variants: new Map(variants) };
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
