import type { VoiceState } from "./voice-state.ts";

/** Whether the user speaks, or has said or written something of which no reply has begun. */
export function isTurnOpen({ speech, turns, held, starting }: VoiceState): boolean {
  const isOpen = speech !== null || held.length > 0 || starting.length > 0;
  return isOpen || turns.some(({ is_answered }) => !is_answered);
}
