// Providers' words for an answer that they ended before the model had finished it.
import type { EarlyEnd } from "../../agent/ports.ts";

/** In lower case; the names behind a word are of those who write so. */
const WORDS: ReadonlyMap<string, EarlyEnd> = new Map<string, EarlyEnd>([
  // Chat completions; Ollama
  ["length", "output_limit"],
  // Anthropic; Gemini ("MAX_TOKENS"); chat endpoints of both
  ["max_tokens", "output_limit"],
  // Responses
  ["max_output_tokens", "output_limit"],
  // Anthropic, Z.ai
  ["model_context_window_exceeded", "output_limit"],
  // Mistral
  ["model_length", "output_limit"],
  // Chat completions, Azure, Responses
  ["content_filter", "filtered"],
  // Zhipu
  ["sensitive", "filtered"],
  // Bedrock
  ["content_filtered", "filtered"],
  ["guardrail_intervened", "filtered"],
  // Gemini, and endpoints that pass its words on
  ["safety", "filtered"],
  ["image_safety", "filtered"],
  ["recitation", "filtered"],
  ["blocklist", "filtered"],
  ["prohibited_content", "filtered"],
  ["spii", "filtered"],
]);

/** @param finishReason As the provider wrote it; null when it wrote none. */
export function earlyEndOf(finishReason: string | null): EarlyEnd | null {
  return finishReason === null ? null : (WORDS.get(finishReason.trim().toLowerCase()) ?? null);
}
