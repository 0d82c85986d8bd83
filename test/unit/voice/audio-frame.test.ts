// Binary frames of a voice connection, byte for byte.
import { describe, expect, test } from "vitest";

import {
  audioMs,
  decodeAudioFrame,
  encodeAudioFrame,
  isAudioRate,
} from "../../../protocol/voice/audio-frame.ts";

describe("an audio frame", () => {
  test("has its version, its kind, its item and its milliseconds before the samples, big-endian", () => {
    const frame = encodeAudioFrame({
      item: 0x1234,
      ms: 0x89abcdef,
      pcm: Uint8Array.of(1, 2, 3, 4),
    });

    expect([...frame]).toEqual([1, 0, 0x12, 0x34, 0x89, 0xab, 0xcd, 0xef, 1, 2, 3, 4]);
  });

  test("is read as it was written, also from the middle of a buffer, without a copy of the samples", () => {
    const written = { item: 65_535, ms: 1_250, pcm: Uint8Array.of(0, 128, 255, 127) };
    const buffer = new Uint8Array(40);
    buffer.set(encodeAudioFrame(written), 5);
    const read = decodeAudioFrame(buffer.subarray(5, 17));

    expect(read).toEqual(written);
    expect(typeof read !== "string" && read.pcm.buffer).toBe(buffer.buffer);
  });

  test("may have no samples, and milliseconds are rounded", () => {
    const frame = encodeAudioFrame({ item: 1, ms: 19.6, pcm: new Uint8Array(0) });

    expect(decodeAudioFrame(frame)).toEqual({ item: 1, ms: 20, pcm: new Uint8Array(0) });
  });

  test.each([
    ["seven bytes", [1, 0, 0, 1, 0, 0, 0], "an audio frame begins with eight bytes"],
    ["nothing", [], "an audio frame begins with eight bytes"],
    [
      "another version",
      [2, 0, 0, 1, 0, 0, 0, 0],
      "version 2 of audio frames is not known; ours is 1",
    ],
    [
      "another kind",
      [1, 7, 0, 1, 0, 0, 0, 0],
      "audio of the kind 7 is not known; 0 is PCM16LE, mono",
    ],
    ["half a sample", [1, 0, 0, 1, 0, 0, 0, 0, 9], "a sample has two bytes"],
  ])("of %s is refused with the reason", (_, bytes, reason) => {
    expect(decodeAudioFrame(Uint8Array.from(bytes))).toBe(reason);
  });
});

test("audio has the rates of telephones, recognition, models and browsers, and no others", () => {
  const rates = [0, 8_000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000, Number.NaN];

  expect(rates.filter(isAudioRate)).toEqual([8_000, 16_000, 24_000, 48_000]);
});

test("bytes of audio last as long as their samples", () => {
  expect([audioMs(0, 24_000), audioMs(960, 24_000), audioMs(96_000, 48_000)]).toEqual([
    0, 20, 1_000,
  ]);
});
