// Audio and frames that a voice connection may send within a time.
import { MAX_AUDIO_AHEAD_MS, MAX_FRAMES_PER_WINDOW } from "../../../protocol/voice/limits.ts";
import { AUDIO_PACE, FRAME_WINDOW_MS, LEAST_FRAME_MS } from "../limits.ts";
import type { FloorConnection } from "./floor-state.ts";

type Credit = Pick<FloorConnection, "audio_credit_ms" | "frame_credit" | "filled_ms">;

export function fullCredit(now: number): Credit {
  return {
    audio_credit_ms: MAX_AUDIO_AHEAD_MS,
    frame_credit: MAX_FRAMES_PER_WINDOW,
    filled_ms: now,
  };
}

/** The credit behind so much audio; below zero it was too much. So the other. */
export function spendAudio(credit: Credit, ms: number, now: number): Credit {
  const filled = refill(credit, now);
  return { ...filled, audio_credit_ms: filled.audio_credit_ms - Math.max(ms, LEAST_FRAME_MS) };
}

export function spendFrame(credit: Credit, now: number): Credit {
  const filled = refill(credit, now);
  return { ...filled, frame_credit: filled.frame_credit - 1 };
}

/** Time that has passed is allowed anew. */
function refill({ audio_credit_ms, frame_credit, filled_ms }: Credit, now: number): Credit {
  const passedMs = Math.max(0, now - filled_ms);
  const frames = (passedMs / FRAME_WINDOW_MS) * MAX_FRAMES_PER_WINDOW;
  return {
    audio_credit_ms: Math.min(MAX_AUDIO_AHEAD_MS, audio_credit_ms + passedMs * AUDIO_PACE),
    frame_credit: Math.min(MAX_FRAMES_PER_WINDOW, frame_credit + frames),
    filled_ms: now,
  };
}
