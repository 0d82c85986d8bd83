import type { VoiceEvents } from "./voice-options.ts";

const TOLD = ["audio_end", "error", "item", "agent_ready", "agent_ended", "floor_taken"] as const;

/** The event of a frame that an app is told as it is; undefined for all others. */
export function toldFrame(type: string): (keyof VoiceEvents & (typeof TOLD)[number]) | undefined {
  return TOLD.find((name) => name === type);
}
