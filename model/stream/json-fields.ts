// Access to untrusted JSON of unknown shape.

export type JsonFields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects in a list; empty for any other value. */
export function fieldsIn(value: unknown): readonly JsonFields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}
