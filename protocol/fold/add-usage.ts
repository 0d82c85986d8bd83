import type { Usage } from "../messages/messages.ts";

/** The sum of both. @param before Null for nothing counted yet. */
export function addUsage(before: Usage | null, more: Usage): Usage {
  const sum = (name: keyof Usage): number => (before?.[name] ?? 0) + more[name];
  return {
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    cache_input_tokens: sum("cache_input_tokens"),
    cache_creation_input_tokens: sum("cache_creation_input_tokens"),
  };
}
