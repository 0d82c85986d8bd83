// Reads the members of one chat completions stream event.
import type { Usage } from "../../protocol/messages/messages.ts";
import { fieldsIn, type JsonFields } from "../stream/json-fields.ts";
import { asCount, asFields, asList, asText } from "../stream/stream-event.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

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
  const thinking = thoughtIn(delta["reasoning_content"]) || thoughtIn(delta["reasoning"]);
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
  for (const part of isJsonObject(content) ? [content] : asList(content)) {
    if (typeof part === "string") words.text += part;
    if (!isJsonObject(part)) continue;
    const { type, thinking, reasoning } = part;
    const isThought = type === "thinking" || type === "reasoning" || thinking !== undefined;
    const text = asText(part["text"]);
    if (isThought) words.thinking += thoughtIn(thinking) || thoughtIn(reasoning) || text;
    else words.text += text + asText(part["refusal"]);
  }
  return words;
}

/** A thought as a text, or as a list of parts. */
function thoughtIn(value: unknown): string {
  if (typeof value !== "object") return asText(value);
  return fieldsIn(value)
    .map(({ text }) => asText(text))
    .join("");
}

/** The texts of OpenRouter's `reasoning_details`, which are all that some of its models send of their thoughts. */
export function readReasoningDetails(delta: JsonFields): string {
  const details = fieldsIn(delta["reasoning_details"]);
  return details.map(({ text, summary }) => asText(text) || asText(summary)).join("");
}

/**
 * The counts of an event: its own, else those of its choice (Moonshot) or of Groq's member; undefined for none. Input
 * tokens include those read from a cache and written to it, as endpoints count them.
 */
export function readUsage(event: JsonFields, choice: JsonFields): Usage | undefined {
  const usage = countsIn(event) ?? countsIn(choice) ?? countsIn(event["x_groq"]);
  if (!usage) return undefined;
  const details = asFields(usage["prompt_tokens_details"]) ?? NOTHING;
  // The vendors' own, DeepSeek's, Kimi's, and Anthropic's behind gateways.
  const cached = [
    details["cached_tokens"],
    usage["prompt_cache_hit_tokens"],
    usage["cached_tokens"],
    usage["cache_read_input_tokens"],
  ];
  const written = [details["cache_write_tokens"], usage["cache_creation_input_tokens"]];
  return {
    input_tokens: firstCount([usage["prompt_tokens"], usage["input_tokens"]]),
    output_tokens: firstCount([usage["completion_tokens"], usage["output_tokens"]]),
    cache_input_tokens: firstCount(cached),
    cache_creation_input_tokens: firstCount(written),
  };
}

function firstCount(values: readonly unknown[]): number {
  return values.map(asCount).find((count) => count > 0) ?? 0;
}

function countsIn(value: unknown): JsonFields | undefined {
  const usage = value ? asFields(asFields(value)?.["usage"]) : undefined;
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
