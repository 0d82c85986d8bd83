// Reads the members of one chat completions stream event.
import type { Usage } from "../../protocol/messages/messages.ts";
import { fieldsIn, isFields, type JsonFields } from "../stream/json-fields.ts";
import { asCount, asFields, asList, asText } from "../stream/stream-event.ts";

const NOTHING: JsonFields = {};

/** The choice with index 0. Only one is requested, so others are ignored. */
export function mainChoice(event: JsonFields): JsonFields {
  for (const value of asList(event["choices"])) {
    const choice = asFields(value);
    if (choice && Number(choice["index"] ?? 0) === 0) return choice;
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

/** The reasoning and the text of a delta, with those of content that is a list of parts. A refusal counts as text. */
export function readWords(delta: JsonFields): Words {
  const { content } = delta;
  const thinking = asText(delta["reasoning_content"]) || asText(delta["reasoning"]);
  const refusal = asText(delta["refusal"]);
  if (typeof content !== "object" || content === null) {
    return { thinking, text: asText(content) + refusal };
  }
  const words = wordsOfParts(content);
  return { thinking: thinking + words.thinking, text: words.text + refusal };
}

/** Mistral's form: `text` and `thinking` parts, the latter with parts of their own. */
function wordsOfParts(content: unknown): Words {
  const words = { thinking: "", text: "" };
  for (const part of isFields(content) ? [content] : asList(content)) {
    if (typeof part === "string") words.text += part;
    if (!isFields(part)) continue;
    const { thinking } = part;
    if (thinking === undefined) words.text += asText(part["text"]) + asText(part["refusal"]);
    else words.thinking += asText(thinking) || textsIn(thinking);
  }
  return words;
}

/** The texts of OpenRouter's `reasoning_details`, which are all that some of its models send of their thoughts. */
export function readReasoningDetails(delta: JsonFields): string {
  const details = fieldsIn(delta["reasoning_details"]);
  return details.map(({ text, summary }) => asText(text) || asText(summary)).join("");
}

function textsIn(parts: unknown): string {
  return fieldsIn(parts)
    .map(({ text }) => asText(text))
    .join("");
}

/**
 * The counts of an event: its own, else those of its choice (Moonshot) or of Groq's member; undefined for none. Input
 * tokens include those read from a cache and written to it, as endpoints count them.
 */
export function readUsage(event: JsonFields): Usage | undefined {
  const usage = countsIn(event) ?? countsIn(mainChoice(event)) ?? countsIn(event["x_groq"]);
  if (!usage) return undefined;
  const details = asFields(usage["prompt_tokens_details"]) ?? NOTHING;
  // DeepSeek and Kimi have their own names.
  const cached = [
    details["cached_tokens"],
    usage["prompt_cache_hit_tokens"],
    usage["cached_tokens"],
  ];
  return {
    input_tokens: asCount(usage["prompt_tokens"]),
    output_tokens: asCount(usage["completion_tokens"]),
    cache_input_tokens: cached.map(asCount).find((count) => count > 0) ?? 0,
    cache_creation_input_tokens: asCount(details["cache_write_tokens"]),
  };
}

function countsIn(value: unknown): JsonFields | undefined {
  const usage = asFields(asFields(value)?.["usage"]);
  return usage && Object.keys(usage).length > 0 ? usage : undefined;
}

/** The counts told last, where they say anything: zero does not take a number back. */
export function laterUsage(before: Usage | undefined, later: Usage): Usage {
  if (!before) return later;
  return {
    input_tokens: later.input_tokens || before.input_tokens,
    output_tokens: later.output_tokens || before.output_tokens,
    cache_input_tokens: later.cache_input_tokens || before.cache_input_tokens,
    cache_creation_input_tokens:
      later.cache_creation_input_tokens || before.cache_creation_input_tokens,
  };
}
