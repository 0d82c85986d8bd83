// Renders the schemas of the document, each as a table of its fields, with links between types.
import type { JsonSchema, OpenApiDocument } from "../document-types.ts";
import { escapeHtml, inlineToHtml, table, textToHtml } from "./html-text.ts";

/** Validation keywords, shown as the schema has them. */
const CONSTRAINTS = [
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "minItems",
  "maxItems",
  "contentEncoding",
  "default",
];

export function schemasToHtml({ components }: OpenApiDocument): string {
  return Object.entries(components.schemas)
    .map(([name, schema]) => schemaToHtml(name, schema))
    .join("\n");
}

/** A link to the schema's own section. */
export function schemaLink(name: string): string {
  return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
}

/** The type of a schema, in one line. */
export function typeToHtml(schema: JsonSchema): string {
  const { $ref, anyOf, oneOf, allOf, enum: values, type, items } = schema;
  if (typeof $ref === "string") return schemaLink($ref.split("/").at(-1) ?? "");
  if (Array.isArray(anyOf)) return joinTypes(anyOf as JsonSchema[], " or ");
  if (Array.isArray(oneOf)) return joinTypes(oneOf as JsonSchema[], " or ");
  if (Array.isArray(allOf)) return joinTypes(allOf as JsonSchema[], " and ");
  if (Array.isArray(values)) return values.map(valueToHtml).join(" or ");
  if ("const" in schema) return valueToHtml(schema["const"]);
  if (type === "array") return `array of ${typeToHtml((items ?? {}) as JsonSchema)}`;
  if (Array.isArray(type)) return type.map(String).map(escapeHtml).join(" or ");
  return typeof type === "string" ? escapeHtml(type) : "any JSON";
}

function joinTypes(schemas: readonly JsonSchema[], word: string): string {
  return schemas.map(typeToHtml).join(word);
}

function schemaToHtml(name: string, schema: JsonSchema): string {
  const { description } = schema;
  const rows = fieldRows(schema, "");
  const id = `schema-${escapeHtml(name)}`;
  return `<section id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title">${escapeHtml(name)}</h3>
${typeof description === "string" ? textToHtml(description) : ""}
${rows.length === 0 ? `<p>${typeToHtml(schema)}${constraintsToHtml(schema)}</p>` : ""}
${table("Fields", ["Field", "Type", "Description"], rows)}
</section>`;
}

/** The rows of an object's fields; fields of nested objects, and of objects in lists, follow with their path. */
function fieldRows(schema: JsonSchema, path: string): readonly string[][] {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema["required"] ?? []) as readonly string[];
  return Object.entries(properties).flatMap(([name, field]) => {
    const items = (field["items"] ?? {}) as JsonSchema;
    const { description } = field;
    const mark = required.includes(name) ? "" : " <small>optional</small>";
    const text = typeof description === "string" ? inlineToHtml(description) : "";
    return [
      [
        `<code>${escapeHtml(path + name)}</code>${mark}`,
        typeToHtml(field) + constraintsToHtml(field),
        text,
      ],
      ...fieldRows(field, `${path}${name}.`),
      ...fieldRows(items, `${path}${name}[].`),
    ];
  });
}

function constraintsToHtml(schema: JsonSchema): string {
  const found = CONSTRAINTS.filter((keyword) => schema[keyword] !== undefined);
  const parts = found.map((keyword) => `${keyword} ${valueToHtml(schema[keyword])}`);
  return parts.length === 0 ? "" : ` <small>${parts.join(", ")}</small>`;
}

function valueToHtml(value: unknown): string {
  return `<code>${escapeHtml(JSON.stringify(value))}</code>`;
}
