// The input of a call as the text that the log keeps, whatever form an endpoint gives it.
import { findShapeViolation } from "../../protocol/json-shape.ts";
import { MAX_MODEL_EVENT_VALUES } from "../../protocol/models/limits.ts";
import { MAX_INPUT_DEPTH } from "../../protocol/requests/limits.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

const SHAPE = { depth: MAX_INPUT_DEPTH, values: MAX_MODEL_EVENT_VALUES };

/**
 * A text as it is, any other value as its JSON. Nothing, and an object without members, which is what some streams begin
 * with, are the empty text: it counts as `{}`.
 * @returns Null for what is deeper than an input may be, which would exhaust the stack.
 */
export function inputText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (isJsonObject(value) && Object.keys(value).length === 0) return "";
  try {
    const text = JSON.stringify(value);
    return findShapeViolation(text, SHAPE) ? null : text;
  } catch {
    return null;
  }
}
