// Access to untrusted JSON of unknown shape.

export type JsonFields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects in a list; empty for any other value. */
export function fieldsIn(value: unknown): readonly JsonFields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The members of `fields` whose names `others` does not have. */
export function withoutMembers(fields: JsonFields, others: object): JsonFields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !Object.hasOwn(others, name)),
  );
}
