// Tells OpenAI which requests belong together, so that it sends them to where their beginning is cached.
import { isVendorServed } from "../presets/find-preset.ts";
import type { ModelRequest } from "../../agent/ports.ts";
import { shortHash } from "../stream/short-hash.ts";
import type { OpenAiModelDefinition } from "./openai-client.ts";

/**
 * `prompt_cache_key`, the same in all calls of a conversation: a hash of the id of its first message. Only for OpenAI
 * itself, since other endpoints may refuse members that they do not know; a definition's own goes before it.
 */
export function cacheKey(
  definition: OpenAiModelDefinition,
  { messages }: Pick<ModelRequest, "messages">,
): { readonly prompt_cache_key?: string } {
  const [first] = messages;
  if (!first || "prompt_cache_key" in definition.parameters) return {};
  return isVendorServed(definition) ? { prompt_cache_key: shortHash(first.id) } : {};
}
