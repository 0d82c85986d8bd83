import { describe, expect, it } from "vitest";

import { pcmToText, textToPcm } from "../../../../model/voice/tones.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

const RATES = [8_000, 16_000, 24_000, 48_000];
const EVERY_BYTE_OF_TEXT =
  "/say Zürich, 12 °C – “ok”? 你好 🙂\n{}[]~|0123456789 the quick brown fox";

describe("Speech of the scripted voice", () => {
  it.each(RATES)("is understood at %i Hz", (rate) => {
    expect(pcmToText(textToPcm(EVERY_BYTE_OF_TEXT, rate), rate)).toBe(EVERY_BYTE_OF_TEXT);
  });

  it("lasts 80 ms and 40 ms for each byte", () => {
    expect(textToPcm("abc", 16_000).byteLength).toBe((80 + 3 * 40) * 16 * 2);
  });

  it.each(RATES.flatMap((from) => RATES.map((to) => [from, to] as const)))(
    "is understood after resampling from %i to %i Hz",
    (from, to) => {
      const heard = resampled(textToPcm("where is my parcel?", from), from, to);

      expect(pcmToText(heard, to)).toBe("where is my parcel?");
    },
  );

  it.each([0.1, 0.3, 0.6, 1, 2])("is understood at a level of %f", (gain) => {
    const spoken = changed(textToPcm("a level", 16_000), (value) => value * gain);

    expect(pcmToText(spoken, 16_000)).toBe("a level");
  });

  it.each([0, 1, 7, 160, 333, 4_001, 16_000])(
    "is understood behind %i samples, with noise around it and beneath",
    (samples) => {
      const random = seededRandom(samples);
      const silence = new Uint8Array(samples * 2);
      const around = joined(silence, textToPcm("behind silence", 16_000), new Uint8Array(9_600));
      const noisy = changed(around, (value) => value * 0.3 + (random() - 0.5) * 600);

      expect(pcmToText(noisy, 16_000)).toBe("behind silence");
    },
  );

  it("is understood with an offset of its samples", () => {
    const shifted = changed(textToPcm("an offset", 16_000), (value) => value + 900);

    expect(pcmToText(shifted, 16_000)).toBe("an offset");
  });

  it.each([0, 37, 900])("is heard in order with %i ms between two speeches", (pauseMs) => {
    const pause = new Uint8Array(pauseMs * 16 * 2);
    const spoken = joined(textToPcm("One.", 16_000), pause, textToPcm("Two.", 16_000));

    expect(pcmToText(spoken, 16_000)).toBe("One. Two.");
  });

  it("is the letters that are whole when it was cut", () => {
    const spoken = textToPcm("cut é", 16_000);
    const bytesOf = (ms: number) => spoken.slice(0, ms * 16 * 2);

    expect(pcmToText(bytesOf(80 + 2 * 40 + 5), 16_000)).toBe("cu");
    expect(pcmToText(bytesOf(80 + 5 * 40), 16_000)).toBe("cut ");
  });

  it("is not found in silence, noise, tones of others, a start tone alone, and half a sample", () => {
    const random = seededRandom(3);
    const second = new Uint8Array(32_000);
    const tone = (hz: number) =>
      changed(second, (_, index) => 9_000 * Math.sin((2 * Math.PI * hz * index) / 16_000));

    expect(
      [
        new Uint8Array(),
        new Uint8Array(1),
        second,
        changed(second, () => (random() - 0.5) * 30_000),
        tone(440),
        tone(800),
        textToPcm("a", 16_000).slice(0, 80 * 32),
        textToPcm("", 16_000),
      ].map((pcm) => pcmToText(pcm, 16_000)),
    ).toEqual([null, null, null, null, null, null, null, null]);
  });
});

function changed(pcm: Uint8Array, change: (value: number, index: number) => number): Uint8Array {
  const view = new DataView(pcm.slice().buffer);
  for (let at = 0; at < view.byteLength; at += 2) {
    const value = Math.round(change(view.getInt16(at, true), at / 2));
    view.setInt16(at, Math.max(-32_768, Math.min(32_767, value)), true);
  }
  return new Uint8Array(view.buffer);
}

/** By straight lines between samples, as the worst of resamplers does. */
function resampled(pcm: Uint8Array, from: number, to: number): Uint8Array {
  const source = new DataView(pcm.buffer);
  const count = Math.floor(((pcm.byteLength / 2) * to) / from);
  const target = new DataView(new ArrayBuffer(count * 2));
  const last = pcm.byteLength / 2 - 1;
  for (let index = 0; index < count; index += 1) {
    const place = (index * from) / to;
    const before = Math.min(Math.floor(place), last);
    const one = source.getInt16(before * 2, true);
    const other = source.getInt16(Math.min(before + 1, last) * 2, true);
    target.setInt16(index * 2, Math.round(one + (other - one) * (place - before)), true);
  }
  return new Uint8Array(target.buffer);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
