// The audio of the playground: frames of the microphone, and what is played when.
import { describe, expect, it, test } from "vitest";

import { FrameCutter } from "../../../console/audio/frame-cutter.ts";
import { Loudness } from "../../../console/audio/loudness.ts";
import { Loudspeaker, type SampleOutput } from "../../../console/audio/loudspeaker.ts";
import { fromPcm, loudnessOf, toPcm } from "../../../console/audio/pcm.ts";
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

/** An output of 1,000 samples a second, whose time the test moves. */
function fakeOutput({ latency = 0 } = {}) {
  const state = { now: 0 };
  const playing = new Map<number, () => void>();
  const told: boolean[] = [];
  const output: SampleOutput = {
    rate: 1_000,
    now: () => state.now,
    latency: () => latency,
    play(_, at, onEnd) {
      playing.set(Math.round(at * 1_000), onEnd);
      return () => void playing.delete(Math.round(at * 1_000));
    },
  };
  const loudspeaker = new Loudspeaker(output, (isPlaying) => told.push(isPlaying));
  const end = (at: number) => {
    playing.get(at)?.();
    playing.delete(at);
  };
  return { state, told, loudspeaker, end, starts: () => [...playing.keys()] };
}

/** So many milliseconds of sound. */
function sound(ms: number): Uint8Array {
  return toPcm(new Float32Array(ms).fill(0.5));
}

describe("the loudspeaker", () => {
  it("plays at the moment that it is given, and says when it begins and ends", () => {
    const { loudspeaker, told, end, starts } = fakeOutput();
    loudspeaker.play(sound(100), 80, 1);
    loudspeaker.play(sound(100), 180, 1);
    loudspeaker.play(new Uint8Array(), 280, 1);
    const begun = starts();
    end(80);
    end(180);

    expect(begun).toEqual([80, 180]);
    expect(told).toEqual([true, false]);
  });

  it("puts its clock back for what comes too late, so that pieces stay one behind the other", () => {
    const { state, loudspeaker, starts } = fakeOutput({ latency: 0.2 });
    state.now = 1;
    const startsAtMs = loudspeaker.nowMs() + 80;
    loudspeaker.play(sound(100), startsAtMs, 1);
    loudspeaker.play(sound(100), startsAtMs + 100, 1);
    const beforeMs = loudspeaker.nowMs();
    state.now = 1.2;

    expect(starts()).toEqual([1_000, 1_100]);
    expect(Math.round(startsAtMs - beforeMs)).toBe(200);
    // The first piece is heard from now on.
    expect(Math.round(loudspeaker.nowMs() - startsAtMs)).toBe(0);
  });

  it("stops one item, or all of them", () => {
    const { loudspeaker, told, starts } = fakeOutput();
    loudspeaker.play(sound(100), 80, 1);
    loudspeaker.play(sound(100), 180, 2);
    loudspeaker.play(sound(100), 280, 3);
    loudspeaker.stop(2);
    const left = starts();
    loudspeaker.stopAll();

    expect(left).toEqual([80, 280]);
    expect([starts(), told]).toEqual([[], [true, false]]);
  });
});

test("loudness is told by steps that a person sees", () => {
  const loudness = new Loudness();
  const told: number[] = [];
  const remove = loudness.subscribe(() => told.push(loudness.get()));
  for (const level of [0, 0.001, 0.1, 0.1001, 0.9]) loudness.set(level);
  remove();
  loudness.set(0);

  expect(told).toEqual([0.3, 1]);
});
