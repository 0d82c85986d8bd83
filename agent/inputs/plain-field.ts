// A field of a form as the protocol's own forms have it. SDKs of 2025 wrote the schemas of their type systems instead:
// what has one meaning in these is put into that form.
import { isJsonObject } from "../../protocol/json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface PlainField {
  readonly field: Fields;
  /** Titles and descriptions of all that the field was made of. */
  readonly words: readonly unknown[];
  readonly formats: readonly unknown[];
}

/** References and wrappers of one field: a reference to itself ends here. */
const MAX_STEPS = 8;

/**
 * A nullable field as that of its type, a local reference as what it leads to, and choices of texts as a text. What has no
 * one meaning is left as it is, which no form allows. @param root The form's schema, with its definitions.
 */
export function plainField(given: Fields, root: Fields): PlainField {
  const words: unknown[] = [];
  const formats: unknown[] = [];
  const note = (schema: Fields): void => {
    words.push(schema["title"], schema["description"]);
    formats.push(schema["format"]);
  };
  let field = given;
  note(field);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const next = unwrap(field, root, note);
    if (!next) break;
    field = next;
  }
  return { field: withTextType(field), words, formats };
}

/** One step; null when there is nothing to take away. @param note Told what is taken in, before its words are replaced. */
function unwrap(field: Fields, root: Fields, note: (schema: Fields) => void): Fields | null {
  const { $ref, allOf, ...own } = field;
  const target = typeof $ref === "string" ? findDefinition(root, $ref) : null;
  const merged = (inner: Fields, outer: Fields): Fields => {
    note(inner);
    return over(inner, outer);
  };
  if (target) return merged(target, allOf === undefined ? own : { ...own, allOf });
  const only = Array.isArray(allOf) ? (allOf as readonly unknown[]) : [];
  if (only.length === 1 && isJsonObject(only[0])) return merged(only[0], own);
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const { [keyword]: branches, ...rest } = field;
    if (!Array.isArray(branches)) continue;
    const others = (branches as readonly unknown[]).filter((one) => !isNull(one));
    const [first] = others;
    if (others.length === 1 && isJsonObject(first) && first["const"] === undefined) {
      return merged(first, rest);
    }
    if (others.length > 0 && others.length < branches.length) return { ...rest, [keyword]: others };
  }
  const { type, enum: values, const: value } = field;
  const types = Array.isArray(type) ? (type as readonly unknown[]) : [];
  const others = types.filter((one) => one !== "null" && one !== null);
  if (types.length > 0 && others.length === 1) return { ...field, type: others[0] };
  const listed = Array.isArray(values) ? (values as readonly unknown[]) : [];
  const texts = listed.filter((one) => one !== null);
  if (texts.length > 0 && texts.length < listed.length) return { ...field, enum: texts };
  if (typeof value !== "string" || values !== undefined) return null;
  const { const: _, ...rest } = field;
  return { ...rest, enum: [value] };
}

/** Members beside a reference count for this field, null members as left out. */
function over(inner: Fields, own: Fields): Fields {
  const said = Object.entries(own).filter(([, value]) => value !== null);
  return { ...inner, ...Object.fromEntries(said) };
}

/** Choices of texts are texts, also where no type says so. */
function withTextType(field: Fields): Fields {
  if (field["type"] !== undefined && field["type"] !== null) return field;
  const { enum: values, oneOf, anyOf } = field;
  const titled = oneOf ?? anyOf;
  const all: readonly unknown[] = Array.isArray(values)
    ? values
    : Array.isArray(titled)
      ? titled.map((one: unknown) => (isJsonObject(one) ? one["const"] : undefined))
      : [];
  const areTexts = all.length > 0 && all.every((one) => typeof one === "string");
  return areTexts ? { ...field, type: "string" } : field;
}

function findDefinition(root: Fields, reference: string): Fields | null {
  const named = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference);
  const [, place = "", name = ""] = named ?? [];
  const definitions = root[place];
  const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
  if (!isJsonObject(definitions) || !Object.hasOwn(definitions, key)) return null;
  const found = definitions[key];
  return isJsonObject(found) ? found : null;
}

function isNull(schema: unknown): boolean {
  return isJsonObject(schema) && (schema["type"] === "null" || schema["const"] === null);
}
