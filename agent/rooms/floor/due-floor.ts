// Times on the floor: when something is over by itself.
import { WHOLE_AUDIO_MS } from "../../voice/limits.ts";
import type { FloorItem, FloorState } from "./floor-state.ts";
import {
  CLEARED_ANSWER_MS,
  CUT_SETTLED_MS,
  LATE_PLAYER_MS,
  LATE_SPEECH_MS,
  TOLD_EVERY_MS,
} from "./limits.ts";

/** True once a client has sent `played`; until then the clock stands for it. */
export function reports({ people }: FloorState): boolean {
  return people.some((person) => person.reports);
}

/** When nothing more of the item is played: at once for 0; null while it is not known. */
export function overDueMs(state: FloorState, item: FloorItem): number | null {
  const { cleared, is_done, played_ms, plays_ms, ms } = item;
  if (state.people.length === 0) return 0;
  if (cleared) return cleared.awaited.length === 0 ? 0 : cleared.at_ms + CLEARED_ANSWER_MS;
  if (!is_done) return null;
  if (!reports(state)) return plays_ms + ms;
  return played_ms >= ms - WHOLE_AUDIO_MS ? 0 : plays_ms + ms + LATE_PLAYER_MS;
}

/** The next time at which something is due; null for none. */
export function nextDueMs(state: FloorState): number | null {
  const times = [
    ...state.items.map((item) => overDueMs(state, item)),
    ...state.items.map((item) => toldDueMs(state, item)),
    ...state.cuts.map(({ at_ms }) => at_ms + CUT_SETTLED_MS),
    ...state.replies.map(({ ended_ms }) => ended_ms && ended_ms + LATE_SPEECH_MS),
  ].filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

function toldDueMs(state: FloorState, item: FloorItem): number | null {
  const { played_ms, told_ms, told_at_ms, cleared } = item;
  if (cleared || played_ms <= told_ms || !reports(state)) return null;
  return told_at_ms + TOLD_EVERY_MS;
}
