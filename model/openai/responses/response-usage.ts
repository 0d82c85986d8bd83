// The counts of a response.
import type { Usage } from "../../../protocol/messages/messages.ts";
import type { JsonFields } from "../../stream/json-fields.ts";
import { asCount, asFields } from "../../stream/stream-event.ts";

const NOTHING: JsonFields = {};

/**
 * Input includes what was cached, output includes the reasoning. What is left out, or zero, takes no number back.
 * @param before What was told so far; null for nothing.
 */
export function latestUsage(before: Usage | null, told: unknown): Usage | null {
  const usage = asFields(told);
  if (!usage) return before;
  const details = asFields(usage["input_tokens_details"]) ?? NOTHING;
  return {
    input_tokens: asCount(usage["input_tokens"]) || (before?.input_tokens ?? 0),
    output_tokens: asCount(usage["output_tokens"]) || (before?.output_tokens ?? 0),
    cache_input_tokens: asCount(details["cached_tokens"]) || (before?.cache_input_tokens ?? 0),
    cache_creation_input_tokens:
      asCount(details["cache_write_tokens"]) || (before?.cache_creation_input_tokens ?? 0),
  };
}
