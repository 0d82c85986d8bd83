// The ear of one person: a turn ends by silence, by its audio or by the clock.
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { SPEECH_GRACE_MS } from "../../../agent/voice/limits.ts";
import { MUTE_MS } from "../../../durable-objects/rooms/limits.ts";
import { PersonEar } from "../../../durable-objects/rooms/person-ear.ts";
import { MAX_TURN_AUDIO_MS } from "../../../protocol/voice/limits.ts";

const SAMPLE = new Uint8Array(2);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openEar() {
  const told: string[] = [];
  const ear = new PersonEar({
    turns: null,
    rate: 16_000,
    began: () => told.push("began"),
    ended: () => told.push("ended"),
  });
  return { ear, told };
}

it("ends a turn whose audio never comes to its length", () => {
  const { ear, told } = openEar();
  const everyMs = MUTE_MS / 2;
  for (let ms = 0; ms < MAX_TURN_AUDIO_MS + SPEECH_GRACE_MS; ms += everyMs) {
    ear.hear(SAMPLE);
    vi.advanceTimersByTime(everyMs);
  }

  expect(told).toEqual(["began", "ended"]);
});

it("has a whole turn's time for each turn", () => {
  const { ear, told } = openEar();
  ear.hear(SAMPLE);
  vi.advanceTimersByTime(MUTE_MS);
  for (let ms = 0; ms < MAX_TURN_AUDIO_MS; ms += MUTE_MS / 2) {
    ear.hear(SAMPLE);
    vi.advanceTimersByTime(MUTE_MS / 2);
  }
  ear.stop();

  expect(told).toEqual(["began", "ended", "began"]);
});
