// Turns that are found in audio by its loudness.
import "../../support/property-seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { TurnDetector, type DetectedTurn } from "../../../agent/voice/detect-turns.ts";
import { AUDIO_RATES } from "../../../protocol/voice/limits.ts";
import type { TurnSettings } from "../../../protocol/voice/contract.ts";
import { cutBytes, pcmOf, toneOf } from "./pcm.ts";

const SETTINGS: TurnSettings = {
  type: "server_vad",
  threshold: 0.5,
  prefix_padding_ms: 300,
  silence_duration_ms: 500,
};
const RATE = 16_000;

/** Milliseconds of a tone whose loudness is given in decibels below full scale; null for silence. */
type Part = readonly [ms: number, decibels: number | null];

describe("a turn", () => {
  it.each(AUDIO_RATES)("begins with loud audio and ends behind a silence, at %d Hz", (rate) => {
    const audio = audioOf(
      [
        [1_000, null],
        [600, -12],
        [1_000, null],
      ],
      rate,
    );

    expect(detect([audio], SETTINGS, rate)).toEqual([
      { type: "started", start_ms: 700 },
      { type: "done", end_ms: 1_800 },
    ]);
  });

  it.each<[name: string, parts: Part[], settings: Partial<TurnSettings>, found: DetectedTurn[]]>([
    [
      "a click is none",
      [
        [500, null],
        [60, -6],
        [1_000, null],
      ],
      {},
      [],
    ],
    [
      "clicks far from each other are none",
      [
        [40, -6],
        [300, null],
        [40, -6],
        [300, null],
      ],
      {},
      [],
    ],
    [
      "what is quieter than the threshold is none",
      [
        [1_000, -45],
        [1_000, null],
      ],
      {},
      [],
    ],
    [
      "a lower threshold hears it",
      [
        [1_000, -45],
        [1_000, null],
      ],
      { threshold: 0.3 },
      [
        { type: "started", start_ms: 0 },
        { type: "done", end_ms: 1_200 },
      ],
    ],
    [
      "a pause that is shorter than the silence does not end it",
      [
        [400, -12],
        [480, null],
        [400, -12],
        [600, null],
      ],
      {},
      [
        { type: "started", start_ms: 0 },
        { type: "done", end_ms: 1_480 },
      ],
    ],
    [
      "a pause that is as long does",
      [
        [400, -12],
        [500, null],
        [400, -12],
        [600, null],
      ],
      {},
      [
        { type: "started", start_ms: 0 },
        { type: "done", end_ms: 600 },
        { type: "started", start_ms: 600 },
        { type: "done", end_ms: 1_500 },
      ],
    ],
    [
      "speech goes on while it is a little quieter than it has to be at the start",
      [
        [400, -30],
        [1_000, -44],
        [600, null],
      ],
      {},
      [
        { type: "started", start_ms: 0 },
        { type: "done", end_ms: 1_600 },
      ],
    ],
    [
      "the end is within the silence when that is short",
      [
        [400, -12],
        [300, null],
      ],
      { silence_duration_ms: 100 },
      [
        { type: "started", start_ms: 0 },
        { type: "done", end_ms: 500 },
      ],
    ],
    [
      "without padding it begins with its sound",
      [
        [400, null],
        [400, -12],
        [600, null],
      ],
      { prefix_padding_ms: 0 },
      [
        { type: "started", start_ms: 400 },
        { type: "done", end_ms: 1_000 },
      ],
    ],
  ])("%s", (_, parts, settings, found) => {
    expect(detect([audioOf(parts, RATE)], { ...SETTINGS, ...settings }, RATE)).toEqual(found);
  });

  it("is the same however the audio is cut", () => {
    const audio = audioOf(
      [
        [200, null],
        [500, -12],
        [600, null],
        [300, -20],
        [700, null],
      ],
      RATE,
    );
    const whole = detect([audio], SETTINGS, RATE);
    const lengths = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 20 });

    expect(whole.length).toBe(4);
    fc.assert(
      fc.property(lengths, (cut) => {
        expect(detect(cutBytes(audio, cut), SETTINGS, RATE)).toEqual(whole);
      }),
    );
  });

  it("never overlaps another, nor lies outside of what was heard", () => {
    const part = fc.tuple(
      fc.integer({ min: 0, max: 900 }),
      fc.option(fc.integer({ min: -60, max: -3 })),
    );
    const settings = fc.record({
      type: fc.constant("server_vad" as const),
      threshold: fc.double({ min: 0, max: 1, noNaN: true }),
      prefix_padding_ms: fc.integer({ min: 0, max: 2_000 }),
      silence_duration_ms: fc.integer({ min: 100, max: 1_000 }),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), settings, (parts, chosen) => {
        const audio = audioOf(parts, 8_000);
        const found = detect([audio], chosen, 8_000);
        const places = found.map((turn) => (turn.type === "started" ? turn.start_ms : turn.end_ms));

        expect(found.map(({ type }) => type)).toEqual(
          found.map((_, index) => (index % 2 === 0 ? "started" : "done")),
        );
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places.filter((ms) => ms < 0 || ms > audio.length / 16)).toEqual([]);
      }),
    );
  });

  it("that is committed is over, and what goes on begins another", () => {
    const detector = new TurnDetector(SETTINGS, RATE);
    const started = detector.push(
      audioOf(
        [
          [300, null],
          [500, -12],
        ],
        RATE,
      ),
    );
    const wasSpeaking = detector.isSpeaking;
    detector.reset();
    const more = detector.push(
      audioOf(
        [
          [400, -12],
          [600, null],
        ],
        RATE,
      ),
    );

    expect([started, wasSpeaking, more]).toEqual([
      [{ type: "started", start_ms: 0 }],
      true,
      [
        { type: "started", start_ms: 800 },
        { type: "done", end_ms: 1_400 },
      ],
    ]);
  });
});

function detect(pieces: readonly Uint8Array[], settings: TurnSettings, rate: number) {
  const detector = new TurnDetector(settings, rate);
  return pieces.flatMap((piece) => detector.push(piece));
}

function audioOf(parts: readonly Part[], rate: number): Uint8Array {
  const samples = parts.flatMap(([ms, decibels]) => {
    const length = (ms * rate) / 1_000;
    // A sine's mean is three decibels below its peak.
    const loudness = decibels === null ? 0 : Math.min(1, 10 ** ((decibels + 3.01) / 20));
    return [...toneOf(400, rate, Math.round(length), loudness)];
  });
  return pcmOf(samples);
}
