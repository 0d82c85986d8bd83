// Operations of the translators on untyped JSON.
import type { JsonObject } from "../json-object.ts";

/**
 * A copy with some members renamed. A member that exists under its new name takes precedence. Names such as `__proto__`
 * stay plain members.
 */
export function renameKeys(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const entries = new Map<string, unknown>();
  for (const [key, value] of Object.entries(object)) {
    const name = names.get(key) ?? key;
    if (name === key || !(Object.hasOwn(object, name) || entries.has(name)))
      entries.set(name, value);
  }
  return Object.fromEntries(entries);
}

/** A copy with `change` applied to one member, if present. */
export function changeMember(
  object: JsonObject,
  key: string,
  change: (value: unknown) => unknown,
): JsonObject {
  return Object.hasOwn(object, key) ? { ...object, [key]: change(object[key]) } : object;
}

/** A copy with `change` applied to each item of one member, if that is a list. */
export function changeItems(
  object: JsonObject,
  key: string,
  change: (value: unknown) => unknown,
): JsonObject {
  return changeMember(object, key, (value) => (Array.isArray(value) ? value.map(change) : value));
}

/** A copy without these members. */
export function dropKeys(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
