// Audio at another rate: the same bytes for any cut, the same time, the same tone, and nothing of what the lower rate cannot have.
import "../../support/property-seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Resampler } from "../../../agent/voice/resample.ts";
import { AUDIO_RATES } from "../../../protocol/voice/limits.ts";
import { pcmOf, samplesOf, toneOf } from "./pcm.ts";

const PAIRS = AUDIO_RATES.flatMap((from) => AUDIO_RATES.map((to) => [from, to] as const));

describe("audio at another rate", () => {
  it.each(PAIRS)("from %d to %d Hz has the same bytes however it is cut", (from, to) => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, (cut) => {
        const whole = Uint8Array.from(cut.flatMap((piece) => [...piece]));

        expect(resampled(cut, from, to)).toEqual(resampled([whole], from, to));
      }),
    );
  });

  it.each(PAIRS)("from %d to %d Hz lasts as long", (from, to) => {
    const samples = Array.from({ length: 1_000 }, () => 0);

    const output = samplesOf(resampled([pcmOf(samples)], from, to));

    expect(output.length).toBe(Math.ceil((1_000 * to) / from));
  });

  it.each(PAIRS)("from %d to %d Hz keeps a tone of 1 kHz, in its place and as loud", (from, to) => {
    const output = samplesOf(resampled([pcmOf(toneOf(1_000, from, 2_000, 0.5))], from, to));
    const expected = toneOf(1_000, to, output.length, 0.5);

    // The edges have silence on their other side.
    const middle = output
      .slice(200, -200)
      .map((sample, index) => sample - (expected[index + 200] ?? 0));
    expect(Math.max(...middle.map(Math.abs))).toBeLessThan(40);
  });

  it.each(PAIRS.filter(([from, to]) => from > to))(
    "from %d to %d Hz has nothing of a tone that the lower rate cannot have",
    (from, to) => {
      const output = samplesOf(resampled([pcmOf(toneOf(to * 0.6, from, 6_000, 0.9))], from, to));

      const middle = output.slice(100, -100);
      expect(Math.max(...middle.map(Math.abs))).toBeLessThan(30);
    },
  );

  it.each(PAIRS)(
    "from %d to %d Hz lets the loudest sample be, without turning it over",
    (from, to) => {
      const samples = Array.from({ length: 900 }, (_, index) =>
        index % 60 < 30 ? 32_767 : -32_768,
      );

      const output = samplesOf(resampled([pcmOf(samples)], from, to));

      const edges = output.slice(1).map((sample, index) => Math.abs(sample - (output[index] ?? 0)));
      expect(edges.filter((edge) => edge > 65_535)).toEqual([]);
      expect(Math.max(...output)).toBeLessThanOrEqual(32_767);
      expect(Math.min(...output)).toBeGreaterThanOrEqual(-32_768);
    },
  );

  it("gives nothing for nothing", () => {
    expect(resampled([], 48_000, 16_000)).toEqual(new Uint8Array(0));
  });
});

function resampled(pieces: readonly Uint8Array[], from: number, to: number): Uint8Array {
  const resampler = new Resampler(from, to);
  const output = [...pieces.map((piece) => resampler.push(piece)), resampler.end()];
  return Uint8Array.from(output.flatMap((piece) => [...piece]));
}
