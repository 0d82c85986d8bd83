// Usage in the values of CUSTOM events, which are free JSON from outside.
import type { AudioUsage, Usage } from "./messages.ts";

const AUDIO_COUNTS = ["input_ms", "output_ms", "input_tokens", "output_tokens"] as const;

/** Null when a count has another form, or all are missing or none. */
export function readUsage(value: unknown): Usage | null {
  if (typeof value !== "object" || value === null) return null;
  const given = value as Readonly<Record<string, unknown>>;
  const count = (name: keyof Usage): number => {
    const found = given[name] ?? 0;
    return isCount(found) ? found : NaN;
  };
  const usage = {
    input_tokens: count("input_tokens"),
    output_tokens: count("output_tokens"),
    cache_input_tokens: count("cache_input_tokens"),
    cache_creation_input_tokens: count("cache_creation_input_tokens"),
  };
  const counts = Object.values(usage);
  if (counts.some(Number.isNaN) || counts.every((one) => one === 0)) return null;
  const audio = readAudioUsage(given["audio"]);
  return audio ? { ...usage, audio } : usage;
}

/** Counts of another form are left out; null when none is there. */
export function readAudioUsage(value: unknown): AudioUsage | null {
  if (typeof value !== "object" || value === null) return null;
  const given = value as Readonly<Record<string, unknown>>;
  const audio: AudioUsage = {};
  for (const name of AUDIO_COUNTS) {
    const found = given[name];
    if (isCount(found)) audio[name] = found;
  }
  return Object.keys(audio).length > 0 ? audio : null;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
