// Reads what an MCP server asks a person for (`elicitation/create`). A form is copied member by member into a schema of
// the platform's own: what the protocol does not allow in forms is refused, and nothing else of it is shown.
import type { InputRequest } from "../../protocol/mcp/elicitation.ts";
import {
  MAX_INPUT_FIELDS,
  MAX_INPUT_LABEL_CHARACTERS,
  MAX_INPUT_MESSAGE_CHARACTERS,
  MAX_INPUT_OPTIONS,
  MAX_INPUT_SCHEMA_BYTES,
  MAX_INPUT_URL_CHARACTERS,
} from "../../protocol/mcp/limits.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { asksForSecret } from "./asks-for-secret.ts";
import { plainField } from "./plain-field.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

export type InputRequestRead =
  | { readonly type: "request"; readonly request: InputRequest }
  /** The form asks for a secret: it is shown to no person, and the server gets `decline`. */
  | { readonly type: "secret" }
  /** The rest of a sentence about the server. */
  | { readonly type: "unusable"; readonly problem: string };

export function readInputRequest(params: Fields): InputRequestRead {
  const { message, url } = params;
  const mode = params["mode"] ?? "form";
  if (typeof message !== "string") return unusable("asks for input without a message");
  if (mode === "url") {
    if (!isWebAddress(url)) return unusable("gives a link that cannot be opened");
    return { type: "request", request: { mode, message: cutMessage(message), url } };
  }
  if (mode !== "form") return unusable("asks for input in a way that is not known");
  return readForm(cutMessage(message), params["requestedSchema"]);
}

function readForm(message: string, schema: unknown): InputRequestRead {
  const outside = unusable("asks for input with a form that the protocol does not allow");
  if (!isJsonObject(schema)) return outside;
  // A form without fields asks for a yes or a no.
  const listed = schema["properties"] ?? {};
  const required = schema["required"] ?? [];
  if ((schema["type"] ?? "object") !== "object" || !isJsonObject(listed)) return outside;
  const named = Object.entries(listed);
  if (named.length > MAX_INPUT_FIELDS || !Array.isArray(required)) return outside;
  const properties: [string, Fields][] = [];
  for (const [name, field] of named) {
    if (name.length > MAX_INPUT_LABEL_CHARACTERS || !isJsonObject(field)) return outside;
    const plain = plainField(field, schema);
    if (plain.formats.includes("password")) return { type: "secret" };
    const words = [name, ...plain.words];
    if (words.some((text) => typeof text === "string" && asksForSecret(text))) {
      return { type: "secret" };
    }
    const copied = copyField(plain.field, schema);
    if (!copied) return outside;
    properties.push([name, copied]);
  }
  const takesText = properties.some(([, field]) => field["type"] === "string" && !isChoice(field));
  if (takesText && asksForSecret(message)) return { type: "secret" };
  const names = new Set(properties.map(([name]) => name));
  if (!required.every((name) => typeof name === "string" && names.has(name))) return outside;
  const requested_schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  if (utf8Bytes(JSON.stringify(requested_schema)) > MAX_INPUT_SCHEMA_BYTES) return outside;
  return { type: "request", request: { mode: "form", message, requested_schema } };
}

/** Null for a field that is none of the protocol's. */
function copyField(field: Fields, root: Fields): Fields | null {
  const labels = pickText(field, ["title", "description"]);
  switch (field["type"]) {
    case "string": {
      const options = copyOptions(field);
      if (options === null) return null;
      const rest = options ?? {
        ...pickCount(field, ["minLength", "maxLength"]),
        ...(FORMATS.has(field["format"]) && { format: field["format"] }),
      };
      return { type: "string", ...labels, ...rest, ...pickDefault(field, "string") };
    }
    case "number":
    case "integer":
      return {
        type: field["type"],
        ...labels,
        ...pickNumber(field, ["minimum", "maximum"]),
        ...pickDefault(field, "number"),
      };
    case "boolean":
      return { type: "boolean", ...labels, ...pickDefault(field, "boolean") };
    case "array": {
      const given = field["items"];
      const items = isJsonObject(given) ? copyOptions(plainField(given, root).field) : null;
      if (!items) return null;
      const counts = pickCount(field, ["minItems", "maxItems"]);
      return { type: "array", ...labels, ...counts, uniqueItems: true, items };
    }
    default:
      return null;
  }
}

const FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

/** The choices of a field; undefined when it has none, null when they are not of the protocol. */
function copyOptions(field: Fields): Fields | null | undefined {
  const { enum: values, enumNames, oneOf, anyOf } = field;
  const titled = oneOf ?? anyOf;
  if (values !== undefined) {
    if (!isTexts(values)) return null;
    const names = isTexts(enumNames) && enumNames.length === values.length ? enumNames : null;
    return { type: "string", enum: values, ...(names && { enumNames: names }) };
  }
  if (titled === undefined) return undefined;
  if (!Array.isArray(titled) || titled.length === 0 || titled.length > MAX_INPUT_OPTIONS) {
    return null;
  }
  const options = (titled as readonly unknown[]).flatMap((one) => {
    if (!isJsonObject(one) || typeof one["const"] !== "string") return [];
    return [{ const: one["const"], ...pickText(one, ["title"]) }];
  });
  return options.length === titled.length ? { type: "string", oneOf: options } : null;
}

function isTexts(value: unknown): value is readonly string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_INPUT_OPTIONS;
  return isList && value.every((one) => typeof one === "string");
}

function isChoice(field: Fields): boolean {
  return "enum" in field || "oneOf" in field;
}

function pickText(field: Fields, names: readonly string[]): Fields {
  return pick(field, names, (value) =>
    typeof value === "string" ? cutTo(value, MAX_INPUT_LABEL_CHARACTERS) : undefined,
  );
}

function pickCount(field: Fields, names: readonly string[]): Fields {
  return pick(field, names, (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined,
  );
}

function pickNumber(field: Fields, names: readonly string[]): Fields {
  return pick(field, names, (value) => (typeof value === "number" ? value : undefined));
}

/** The first value of a form's field. */
function pickDefault(field: Fields, type: "string" | "number" | "boolean"): Fields {
  return pick(field, ["default"], (value) => {
    if (typeof value === "string" && value.length > MAX_INPUT_LABEL_CHARACTERS) return undefined;
    return typeof value === type ? value : undefined;
  });
}

function pick(
  field: Fields,
  names: readonly string[],
  read: (value: unknown) => unknown,
): Record<string, unknown> {
  const found = names.flatMap((name) => {
    const value = Object.hasOwn(field, name) ? read(field[name]) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** Without the platform's parser of addresses, which this layer does not have. A person has to see where it leads. */
function isWebAddress(url: unknown): url is string {
  if (typeof url !== "string" || url.length > MAX_INPUT_URL_CHARACTERS) return false;
  return /^https?:\/\/[^\s/?#@\\]+(?:[/?#][\x21-\x7e]*)?$/i.test(url) && /^[\x21-\x7e]+$/.test(url);
}

function cutMessage(message: string): string {
  return cutTo(message, MAX_INPUT_MESSAGE_CHARACTERS);
}

function cutTo(text: string, characters: number): string {
  return text.length > characters
    ? `${text.slice(0, characters - 1).replace(/[\ud800-\udbff]$/, "")}…`
    : text;
}

function unusable(problem: string): InputRequestRead {
  return { type: "unusable", problem };
}
