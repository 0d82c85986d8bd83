// Access to untrusted JSON of unknown shape.
import { isJsonObject } from "../../protocol/json-object.ts";

export type JsonFields = Readonly<Record<string, unknown>>;

/** The objects in a list; empty for any other value. */
export function fieldsIn(value: unknown): readonly JsonFields[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The members of `fields` whose names `others` does not have. */
export function withoutMembers(fields: JsonFields, others: object): JsonFields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !Object.hasOwn(others, name)),
  );
}
