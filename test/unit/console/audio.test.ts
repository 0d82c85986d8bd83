// The audio of the playground: frames of the microphone, and how much was heard of what was played.
import { describe, expect, it } from "vitest";

import { FrameCutter } from "../../../console/audio/frame-cutter.ts";
import { fromPcm, loudnessOf, toPcm } from "../../../console/audio/pcm.ts";
import { Player, type Speaker } from "../../../console/audio/player.ts";
import { Resampler } from "../../../console/audio/resampler.ts";
import { pcmToText, textToPcm } from "../../../model/voice/tones.ts";

describe("frames of the microphone", () => {
  it("are PCM16LE, cut at full scale, and come back as the same samples", () => {
    const samples = Float32Array.from([0, 0.5, -0.5, 1.5, -1.5]);
    const pcm = toPcm(samples);

    expect([...pcm]).toEqual([0, 0, 0, 64, 0, 192, 255, 127, 0, 128]);
    expect([...fromPcm(pcm)]).toEqual([0, 0.5, -0.5, 32_767 / 32_768, -1]);
    expect([...fromPcm(pcm.subarray(2, 5))]).toEqual([0.5]);
    expect(loudnessOf(Float32Array.from([0.5, -0.5]))).toBe(0.5);
    expect(loudnessOf(new Float32Array())).toBe(0);
  });

  it("have one length, however the samples come", () => {
    const cutter = new FrameCutter(3);
    const frames = [1, 5, 0, 2, 1].flatMap((count, piece) =>
      cutter.push(new Float32Array(count).fill(piece + 1)).map((frame) => [...frame]),
    );

    expect(frames).toEqual([
      [1, 2, 2],
      [2, 2, 2],
      [4, 4, 5],
    ]);
  });

  it.each([
    [44_100, 24_000],
    [48_000, 24_000],
    [48_000, 16_000],
    [16_000, 24_000],
    [24_000, 24_000],
  ])("say at another rate what they say at their own: %d Hz in %d", (from, to) => {
    const said = "The teapot came in pieces.";
    // The tones know rates of a multiple of 1,000 alone.
    const spoken = fromPcm(textToPcm(said, from === 44_100 ? 44_000 : from));
    const resampler = new Resampler(from === 44_100 ? 44_000 : from, to);
    const pieces = Array.from({ length: Math.ceil(spoken.length / 128) }, (_, index) =>
      resampler.push(spoken.subarray(index * 128, (index + 1) * 128)),
    );
    const heard = Float32Array.from([...pieces, new Float32Array(to)].flatMap((one) => [...one]));

    expect(pcmToText(toPcm(heard), to)).toBe(said);
    expect(heard.length - to).toBeGreaterThan((spoken.length * to) / from - 32);
  });

  it("hold nothing above what the slower rate has room for", () => {
    const hum = Float32Array.from({ length: 48_000 }, (_, at) => Math.sin((at * Math.PI) / 2.4));
    const heard = new Resampler(48_000, 16_000).push(hum);

    expect(loudnessOf(heard.subarray(100))).toBeLessThan(0.01);
  });
});

/** A loudspeaker of 1,000 samples a second, whose time the test moves. */
function fakeSpeaker({ latency = 0 } = {}) {
  const state = { now: 0 };
  const playing = new Set<{ readonly at: number; readonly samples: number }>();
  const speaker: Speaker = {
    rate: 1_000,
    now: () => state.now,
    heard: () => state.now - latency,
    play(samples, at) {
      const piece = { at, samples: samples.length };
      playing.add(piece);
      return () => void playing.delete(piece);
    },
  };
  const told: (readonly [item: number, ms: number])[] = [];
  const player = new Player(speaker, (item, ms) => told.push([item, ms]));
  return { state, playing, told, player };
}

/** So many milliseconds of sound. */
function sound(ms: number): Uint8Array {
  return toPcm(new Float32Array(ms).fill(0.5));
}

describe("the player", () => {
  it("plays pieces one behind the other, and reports what was heard", () => {
    const { state, playing, told, player } = fakeSpeaker();
    player.push(1, 0, sound(100));
    player.push(1, 100, sound(100));
    player.push(2, 0, sound(50));
    const starts = [...playing].map(({ at }) => at.toFixed(2));
    for (const now of [0.05, 0.13, 0.13, 0.3, 0.5]) {
      state.now = now;
      player.tick();
    }

    expect(starts).toEqual(["0.08", "0.18", "0.28"]);
    expect(told).toEqual([
      [1, 50],
      [1, 200],
      [2, 20],
      [2, 50],
    ]);
    expect(player.isPlaying).toBe(false);
  });

  it("stops an item at once, says how much of it was heard, and plays no late piece of it", () => {
    const { state, playing, told, player } = fakeSpeaker({ latency: 0.02 });
    player.push(7, 0, sound(500));
    state.now = 0.3;
    player.clear(7);
    player.push(7, 500, sound(100));
    player.push(8, 0, sound(100));

    expect(told).toEqual([
      [7, 200],
      [7, 200],
    ]);
    expect([...playing].map(({ at }) => at.toFixed(2))).toEqual(["0.38"]);
  });

  it("says 0 of an item that nobody has heard, and all of one that has ended before", () => {
    const { state, told, player } = fakeSpeaker();
    player.push(1, 0, sound(100));
    player.push(2, 0, sound(100));
    state.now = 0.18;
    player.clear(2);
    state.now = 1;
    player.tick();
    player.clear(1);

    expect(told).toEqual([
      [1, 100],
      [2, 0],
      [1, 100],
    ]);
  });

  it("goes on a little later when pieces have come too late", () => {
    const { state, playing, told, player } = fakeSpeaker();
    player.push(1, 0, sound(100));
    state.now = 0.5;
    player.tick();
    player.push(1, 100, sound(100));
    state.now = 0.6;
    player.tick();

    expect([...playing].map(({ at }) => at.toFixed(2))).toEqual(["0.08", "0.58"]);
    expect(told).toEqual([
      [1, 100],
      [1, 120],
    ]);
  });

  it("reports nothing of what a lost connection has left, and begins anew", () => {
    const { state, playing, told, player } = fakeSpeaker();
    player.push(1, 0, sound(100));
    player.stop();
    state.now = 1;
    player.tick();
    player.push(1, 0, sound(100));

    expect(told).toEqual([]);
    expect([...playing].map(({ at }) => at.toFixed(2))).toEqual(["1.08"]);
  });
});
