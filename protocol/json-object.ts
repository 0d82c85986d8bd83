// Objects of JSON whose shape is not known.

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether `value` is an object of JSON: no array, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
