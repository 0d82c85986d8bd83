// Reads the JSON of one event of a model's stream. Endpoints differ, so missing members and members of the wrong type
// count as absent.
import { parseExact } from "../../agent/exact-number.ts";
import { findShapeViolation } from "../../protocol/json-shape.ts";
import {
  MAX_CALL_TOKENS,
  MAX_MODEL_EVENT_VALUES,
  PLAIN_EVENT_CHARACTERS,
} from "../../protocol/models/limits.ts";
import { MAX_INPUT_DEPTH } from "../../protocol/requests/limits.ts";
import type { JsonFields } from "./json-fields.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

const SHAPE = { depth: MAX_INPUT_DEPTH, values: MAX_MODEL_EVENT_VALUES };

/**
 * Hot path: a whole number that a double may not hold, as a value. Decimals, such as those of log probabilities, and the
 * digits of an event's own id are none: an exact reading takes five times as long.
 */
const LONG_NUMBER = /[:[,]\s*-?\d{16}/;

/**
 * An object, also as the only one of a list: Google puts errors into one.
 * Whole numbers beyond 2^53 keep their text, see `parseExact`: an input may be given as an object.
 * @returns Undefined for invalid JSON, any other value, and JSON beyond the size limits.
 */
export function parseStreamEvent(data: string): JsonFields | undefined {
  if (data.length > PLAIN_EVENT_CHARACTERS && findShapeViolation(data, SHAPE)) return undefined;
  try {
    const value: unknown = LONG_NUMBER.test(data) ? parseExact(data) : JSON.parse(data);
    return asFields(Array.isArray(value) && value.length === 1 ? value[0] : value);
  } catch {
    return undefined;
  }
}

export function asFields(value: unknown): JsonFields | undefined {
  return isJsonObject(value) ? value : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A number, which some endpoints write as a text. */
export function asIndex(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** Canonical base64 as it is; anything else is absent, since a log that holds it could not be folded. */
export function asBase64(value: unknown): string {
  const text = asText(value);
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? text : "";
}

/** An implausible count is treated as absent. */
export function asCount(value: unknown): number {
  const isCount = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  return isCount && value <= MAX_CALL_TOKENS ? value : 0;
}
