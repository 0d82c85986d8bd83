import type { AudioUsage, Usage } from "../messages/messages.ts";

/** The sum of both. @param before Null for nothing counted yet. */
export function addUsage(before: Usage | null, more: Usage): Usage {
  const sum = (name: Exclude<keyof Usage, "audio">): number => (before?.[name] ?? 0) + more[name];
  const audio = before?.audio && more.audio ? addAudio(before.audio, more.audio) : undefined;
  const heard = audio ?? before?.audio ?? more.audio;
  return {
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    cache_input_tokens: sum("cache_input_tokens"),
    cache_creation_input_tokens: sum("cache_creation_input_tokens"),
    ...(heard && { audio: heard }),
  };
}

/** The sum of both; what neither knows is missing. */
export function addAudio(before: AudioUsage, more: AudioUsage): AudioUsage {
  const sum = (name: keyof AudioUsage) => {
    const counts = [before[name], more[name]].filter((count) => count !== undefined);
    return counts.length > 0 && { [name]: counts.reduce((all, count) => all + count, 0) };
  };
  return {
    ...sum("input_ms"),
    ...sum("output_ms"),
    ...sum("input_tokens"),
    ...sum("output_tokens"),
  };
}
