import { findShapeViolation } from "../json-shape.ts";
import { isJsonObject, type JsonObject } from "../json-object.ts";
import { MAX_INPUT_DEPTH, MAX_INPUT_VALUES } from "../requests/limits.ts";

const SHOWN_INPUT = { depth: MAX_INPUT_DEPTH, values: MAX_INPUT_VALUES };

/** The object of a call's input; empty for a text that is no JSON object, or is too deep to be written again. */
export function objectOf(input: string): JsonObject {
  try {
    if (findShapeViolation(input, SHOWN_INPUT) !== null) return {};
    const value: unknown = JSON.parse(input);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
