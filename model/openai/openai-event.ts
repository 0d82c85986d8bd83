// One event of a chat completions stream as its JSON says it. Endpoints differ: what is missing or of another type is
// taken as absent.
import { findShapeViolation } from "../../protocol/json-shape.ts";
import {
  MAX_CALL_TOKENS,
  MAX_MODEL_EVENT_VALUES,
  PLAIN_EVENT_CHARACTERS,
} from "../../protocol/limits/models.ts";
import { MAX_INPUT_DEPTH } from "../../protocol/limits/requests.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import { isFields, type JsonFields } from "./json-fields.ts";

const NOTHING: JsonFields = {};

const SHAPE = { depth: MAX_INPUT_DEPTH, values: MAX_MODEL_EVENT_VALUES };

/** @returns Undefined for what cannot be an event of such a stream at all. */
export function parseEvent(data: string): JsonFields | undefined {
  if (data.length > PLAIN_EVENT_CHARACTERS && findShapeViolation(data, SHAPE)) return undefined;
  try {
    return asFields(JSON.parse(data));
  } catch {
    return undefined;
  }
}

/** Choices other than the first belong to answers that nobody asked for. */
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

/** What is thought and what is said. A refusal is said as well. */
export function readWords(delta: JsonFields): Words {
  return {
    thinking: asText(delta["reasoning_content"]) || asText(delta["reasoning"]),
    text: asText(delta["content"]) + asText(delta["refusal"]),
  };
}

/** The input's tokens include the cached ones, as the endpoint counts them. */
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

/** What no model reads or writes in one call is not believed, and counts as not told. */
function asCount(value: unknown): number {
  const isCount = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  return isCount && value <= MAX_CALL_TOKENS ? value : 0;
}
