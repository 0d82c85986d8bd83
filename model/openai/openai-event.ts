// Reads the JSON of one chat completions stream event. Endpoints differ, so missing members and members of the wrong
// type count as absent.
import { findShapeViolation } from "../../protocol/json-shape.ts";
import {
  MAX_CALL_TOKENS,
  MAX_MODEL_EVENT_VALUES,
  PLAIN_EVENT_CHARACTERS,
} from "../../protocol/limits/models.ts";
import { MAX_INPUT_DEPTH } from "../../protocol/limits/requests.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import { isFields, type JsonFields } from "../stream/json-fields.ts";

const NOTHING: JsonFields = {};

const SHAPE = { depth: MAX_INPUT_DEPTH, values: MAX_MODEL_EVENT_VALUES };

/** @returns Undefined for invalid JSON, anything but an object, and JSON beyond the size limits. */
export function parseStreamEvent(data: string): JsonFields | undefined {
  if (data.length > PLAIN_EVENT_CHARACTERS && findShapeViolation(data, SHAPE)) return undefined;
  try {
    return asFields(JSON.parse(data));
  } catch {
    return undefined;
  }
}

/** The choice with index 0. Only one is requested, so others are ignored. */
export function mainChoice(event: JsonFields): JsonFields {
  for (const value of asList(event["choices"])) {
    const choice = asFields(value);
    if (choice && (choice["index"] ?? 0) === 0) return choice;
  }
  return NOTHING;
}

export function deltaOf(choice: JsonFields): JsonFields {
  return asFields(choice["delta"]) ?? NOTHING;
}

export interface Words {
  readonly thinking: string;
  readonly text: string;
}

/** The reasoning and the text of a delta. A refusal counts as text. */
export function readWords(delta: JsonFields): Words {
  return {
    thinking: asText(delta["reasoning_content"]) || asText(delta["reasoning"]),
    text: asText(delta["content"]) + asText(delta["refusal"]),
  };
}

/** Input tokens include cached ones, as endpoints count them. */
export function readUsage(event: JsonFields): Usage | undefined {
  const usage = asFields(event["usage"]);
  if (!usage) return undefined;
  return {
    input_tokens: asCount(usage["prompt_tokens"]),
    output_tokens: asCount(usage["completion_tokens"]),
    cache_input_tokens: asCount(asFields(usage["prompt_tokens_details"])?.["cached_tokens"]),
    cache_creation_input_tokens: 0,
  };
}

export function asFields(value: unknown): JsonFields | undefined {
  return isFields(value) ? value : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** An implausible count is treated as absent. */
function asCount(value: unknown): number {
  const isCount = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  return isCount && value <= MAX_CALL_TOKENS ? value : 0;
}
