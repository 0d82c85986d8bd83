// Reads the members of one chat completions stream event.
import type { Usage } from "../../protocol/messages/messages.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { asCount, asFields, asList, asText } from "../stream/stream-event.ts";

const NOTHING: JsonFields = {};

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

/** Input tokens include those read from a cache and written to it, as endpoints count them. */
export function readUsage(event: JsonFields): Usage | undefined {
  const usage = asFields(event["usage"]);
  if (!usage) return undefined;
  const details = asFields(usage["prompt_tokens_details"]) ?? NOTHING;
  return {
    input_tokens: asCount(usage["prompt_tokens"]),
    output_tokens: asCount(usage["completion_tokens"]),
    cache_input_tokens: asCount(details["cached_tokens"]),
    cache_creation_input_tokens: asCount(details["cache_write_tokens"]),
  };
}
