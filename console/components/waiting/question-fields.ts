// The fields of a form with which an MCP server asks a person, by the flat JSON Schema that the protocol allows. The platform
// has checked and copied the schema; whatever it does not name is a text here.
import { isJsonObject, type JsonObject } from "../schema-form/json-schema.ts";

interface QuestionOption {
  readonly value: string;
  readonly label: string;
}

export interface QuestionField {
  readonly name: string;
  readonly label: string;
  /** The server's words; null when it has none. */
  readonly description: string | null;
  readonly kind: "text" | "number" | "integer" | "yes-no" | "one" | "many";
  readonly isRequired: boolean;
  /** `email`, `uri`, `date`, `date-time`; null for any text. */
  readonly format: string | null;
  /** Options of a choice; empty for all others. */
  readonly options: readonly QuestionOption[];
  /** Characters of a text, the value of a number, or how many are chosen. */
  readonly least: number | null;
  readonly most: number | null;
  readonly initial: FieldDraft;
}

/** Typed or chosen value: text for all kinds but `many`; empty while there is none. */
export type FieldDraft = string | readonly string[];
/** Values by the name of the field. */
export type QuestionDraft = ReadonlyMap<string, FieldDraft>;

/** @param schema `requested_schema` of a request. */
export function readFields(schema: unknown): readonly QuestionField[] {
  if (!isJsonObject(schema) || !isJsonObject(schema["properties"])) return [];
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(schema["properties"]).map(([name, member]) =>
    readField(name, isJsonObject(member) ? member : {}, required.includes(name)),
  );
}

export function initialDraft(fields: readonly QuestionField[]): QuestionDraft {
  return new Map(fields.map(({ name, initial }) => [name, initial]));
}

function readField(name: string, schema: JsonObject, isRequired: boolean): QuestionField {
  const { title, description, format } = schema;
  const kind = kindOf(schema);
  const given = schema["default"];
  return {
    name,
    label: typeof title === "string" && title !== "" ? title : name,
    description: typeof description === "string" && description !== "" ? description : null,
    kind,
    isRequired,
    format: kind === "text" && typeof format === "string" ? format : null,
    options: kind === "yes-no" ? YES_NO : optionsOf(kind === "many" ? schema["items"] : schema),
    least: numberOf(schema, LEAST[kind]),
    most: numberOf(schema, MOST[kind]),
    initial: kind === "many" ? [] : initialText(given, format),
  };
}

const YES_NO = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];
type Kind = QuestionField["kind"];
const LEAST: Readonly<Partial<Record<Kind, string>>> = {
  text: "minLength",
  number: "minimum",
  integer: "minimum",
  many: "minItems",
};
const MOST: Readonly<Partial<Record<Kind, string>>> = {
  text: "maxLength",
  number: "maximum",
  integer: "maximum",
  many: "maxItems",
};

function kindOf(schema: JsonObject): Kind {
  switch (schema["type"]) {
    case "number":
    case "integer":
      return schema["type"];
    case "boolean":
      return "yes-no";
    case "array":
      return "many";
    default:
      return optionsOf(schema).length > 0 ? "one" : "text";
  }
}

/** Titles are the server's; a choice without one is its value. */
function optionsOf(schema: unknown): readonly QuestionOption[] {
  if (!isJsonObject(schema)) return [];
  const { enum: values, enumNames, oneOf } = schema;
  if (Array.isArray(oneOf)) {
    return oneOf.flatMap((one: unknown) => {
      if (!isJsonObject(one) || typeof one["const"] !== "string") return [];
      const { const: value, title } = one;
      return [{ value, label: typeof title === "string" && title !== "" ? title : value }];
    });
  }
  if (!Array.isArray(values)) return [];
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  return values.flatMap((value: unknown, index) => {
    if (typeof value !== "string") return [];
    const name = names[index];
    return [{ value, label: typeof name === "string" && name !== "" ? name : value }];
  });
}

function numberOf(schema: JsonObject, member: string | undefined): number | null {
  const value = member === undefined ? undefined : schema[member];
  return typeof value === "number" ? value : null;
}

function initialText(given: unknown, format: unknown): string {
  if (typeof given === "string") return format === "date-time" ? toLocalTime(given) : given;
  return typeof given === "number" || typeof given === "boolean" ? String(given) : "";
}

/** As a control for date and time takes it: in the reader's time zone, without one; empty for what is no time. */
function toLocalTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return "";
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
