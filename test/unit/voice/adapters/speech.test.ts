import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { AudioPace } from "../../../../model/voice/audio-pace.ts";
import { createOpenAiSpeech } from "../../../../model/voice/cascade/openai-speech.ts";
import type { SpeechOutcome } from "../../../../model/voice/cascade/ports.ts";
import { SPEECH_STALL_MS } from "../../../../model/voice/limits.ts";
import { pcmToText, textToPcm } from "../../../../model/voice/tones.ts";
import { createOutgoing } from "../../../../outgoing/outgoing.ts";
import {
  startFakeAudio,
  type FakeAudio,
  type SpeechTurn,
} from "../../../support/voice/fake-audio.ts";
import { waitUntil } from "../../../support/wait-for.ts";

const NEVER = new AbortController().signal;
const SECRET = "sk-secret-of-the-tests";
let fake: FakeAudio | undefined;

afterEach(async () => {
  await fake?.stop();
  fake = undefined;
});

interface Spoken {
  readonly outcome: SpeechOutcome;
  readonly text: string | null;
  readonly pieces: readonly number[];
}

async function speak(
  turn?: SpeechTurn,
  stop: AbortSignal = NEVER,
  onAudio: () => void = () => undefined,
  pace?: AudioPace,
): Promise<Spoken> {
  fake = await startFakeAudio(turn ? { speech: [turn] } : {});
  const port = createOpenAiSpeech(
    { provider: "openai", name: "speaker-1", parameters: { instructions: "Calm.", speed: 1.5 } },
    "cedar",
    {
      outgoing: createOutgoing({ fetch, environment: "local" }),
      base_url: fake.baseUrl,
      apiKey: SECRET,
    },
    pace,
  );
  const pieces: Uint8Array[] = [];
  const outcome = await port.speak("Good day.", stop, (pcm) => {
    pieces.push(pcm);
    onAudio();
  });
  return {
    outcome,
    text: pcmToText(Buffer.concat(pieces), 24_000),
    pieces: pieces.map(({ byteLength }) => byteLength),
  };
}

const PCM = textToPcm("Good day.", 24_000);

function bytes(contentType: string | null, content: Uint8Array | string): SpeechTurn {
  return (body) => {
    body.head(200, contentType === null ? {} : { "content-type": contentType });
    body.raw(Buffer.from(content));
    body.end();
  };
}

function events(...values: readonly object[]): SpeechTurn {
  return (body) => {
    for (const value of values) body.raw(`data: ${JSON.stringify(value)}\n\n`);
    body.end();
  };
}

function base64(content: Uint8Array): string {
  return Buffer.from(content).toString("base64");
}

function failure(message: string): SpeechOutcome {
  const { host } = new URL(fake!.baseUrl);
  return { code: "speech_failed", message: `The speech endpoint ${host} ${message}` };
}

/** Frames of MPEG 2, layer III, 64 kbit/s and 24 kHz, as OpenAI sends them. */
const MP3 = Buffer.concat(
  Array.from({ length: 12 }, () => {
    const frame = Buffer.alloc(192, 0x55);
    frame.set([0xff, 0xf3, 0x84, 0xc4]);
    return frame;
  }),
);

describe("Speech by an OpenAI-compatible endpoint", () => {
  it("asks for samples, and takes pieces that cut them", async () => {
    const { outcome, text, pieces } = await speak();

    expect({ outcome, text }).toEqual({ outcome: null, text: "Good day." });
    expect(pieces.filter((length) => length % 2 === 1)).toEqual([]);
    expect(fake!.asked).toEqual([
      {
        authorization: `Bearer ${SECRET}`,
        body: {
          model: "speaker-1",
          input: "Good day.",
          voice: "cedar",
          response_format: "pcm",
          instructions: "Calm.",
          speed: 1.5,
        },
      },
    ]);
  });

  it.each<[string, SpeechTurn]>([
    ["without a type", bytes(null, PCM)],
    ["as bytes of any kind", bytes("application/octet-stream", PCM)],
    [
      "with half a sample behind it",
      bytes("audio/L16; rate=24000", Buffer.concat([PCM, Buffer.alloc(1)])),
    ],
    [
      "in events",
      events(
        { type: "speech.audio.delta", audio: base64(PCM.slice(0, 7_001)) },
        { type: "speech.audio.other" },
        { type: "speech.audio.delta", audio: base64(PCM.slice(7_001)) },
        { type: "speech.audio.done", usage: { input_tokens: 3, output_tokens: 90 } },
      ),
    ],
    [
      "that begins like a frame of MP3",
      bytes("audio/pcm", Buffer.concat([Buffer.from([0xff, 0xf3, 0x84, 0xc4]), PCM])),
    ],
  ])("takes samples %s", async (_name, turn) => {
    const { outcome, text } = await speak(turn);

    expect({ outcome, text }).toEqual({ outcome: null, text: "Good day." });
  });

  it.each<[string, SpeechTurn, string]>([
    ["MP3", bytes("audio/mpeg", MP3), "MP3"],
    ["MP3 that is called PCM", bytes("audio/pcm", MP3), "MP3"],
    ["MP3 with a tag", bytes("audio/pcm", "ID3\u0004\u0000"), "MP3"],
    ["WAV", bytes("application/octet-stream", "RIFF1234WAVEfmt "), "WAV"],
    ["Opus", bytes(null, "OggS\u0000\u0002"), "Ogg (Opus)"],
    ["FLAC", bytes("audio/pcm", "fLaC\u0000"), "FLAC"],
    ["what is called Opus", bytes("audio/opus", PCM), "OPUS"],
    [
      "MP3 in events",
      events({ type: "speech.audio.delta", audio: base64(MP3) }, { type: "speech.audio.done" }),
      "MP3",
    ],
  ])("refuses %s by name, and lets nothing of it be heard", async (_name, turn, format) => {
    const { outcome, pieces } = await speak(turn);

    expect(outcome).toEqual(
      failure(
        `answered in a form that could not be read: it answered with ${format} in place of PCM, which nothing here can decode`,
      ),
    );
    expect(pieces).toEqual([]);
  });

  it.each<[string, SpeechTurn, string]>([
    [
      "a refused secret, which is not repeated",
      (body) => body.refuse(401, { error: { message: `Bad key ${SECRET}`, code: "invalid_key" } }),
      "answered 401 (invalid_key): Bad key [redacted]",
    ],
    [
      "an error with the status of a success",
      bytes("application/json", '{"error":{"message":"Unknown voice cedar","code":"no_voice"}}'),
      "answered in a form that could not be read (no_voice): Unknown voice cedar",
    ],
    [
      "text that is called audio",
      bytes("audio/pcm", '{"error":"Unknown voice cedar"}'),
      "answered in a form that could not be read: Unknown voice cedar",
    ],
    [
      "nothing",
      bytes("audio/pcm", ""),
      "answered in a form that could not be read: it answered without audio",
    ],
    [
      "an error among events",
      events({ type: "error", error: { message: "No room", code: "overloaded" } }),
      "failed (overloaded): No room",
    ],
    [
      "events without an end",
      events({ type: "speech.audio.delta", audio: base64(PCM) }),
      "closed the connection before its answer ended.",
    ],
    [
      "no base64",
      events({ type: "speech.audio.delta", audio: "a" }),
      "answered in a form that could not be read.",
    ],
    [
      "a cut connection",
      async (body) => {
        body.head(200, { "content-type": "audio/pcm" });
        body.raw(Buffer.from(PCM.slice(0, 5_000)));
        await body.cut();
      },
      "closed the connection before its answer ended.",
    ],
  ])("names %s", async (_name, turn, message) => {
    expect((await speak(turn)).outcome).toEqual(failure(message));
  });

  it("is bounded in audio, and read no faster than its pace", async () => {
    const beganMs = performance.now();
    const flood: SpeechTurn = async (body) => {
      body.head(200, { "content-type": "audio/pcm" });
      await body.flood(Buffer.alloc(65_536, 1));
    };
    const pace = new AudioPace({ burstMs: 20_000, pace: 200 });
    const { outcome, pieces } = await speak(flood, NEVER, () => undefined, pace);

    // 120 seconds of audio, of which 20 came at once.
    expect(performance.now() - beganMs).toBeGreaterThan(490);

    expect(outcome).toEqual(failure("answered with more than may be read."));
    expect(pieces.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(5_760_000);
  });

  it.each<[string, SpeechTurn, number, string]>([
    ["does not begin", () => undefined, 30_000, "did not answer in time."],
    [
      "does not go on",
      (body) => {
        body.head(200, { "content-type": "audio/pcm" });
        body.raw(Buffer.alloc(9_600));
      },
      15_000,
      "stopped sending in the middle of its answer.",
    ],
  ])("gives up an answer that %s", async (_name, turn, waitMs, message) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const asking = Promise.withResolvers<void>();
    const speaking = speak(turn, NEVER, asking.resolve);

    await (waitMs === SPEECH_STALL_MS
      ? asking.promise
      : waitUntil(() => fake?.asked.length || undefined));
    vi.advanceTimersByTime(waitMs);

    expect((await speaking).outcome).toEqual(failure(message));
    expect(await waitUntil(() => fake!.dropped() || undefined)).toBe(1);
  });

  it("gives up an answer that comes without end", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let pieces = 0;
    const drip: SpeechTurn = async (body) => {
      body.head(200, { "content-type": "audio/pcm" });
      body.raw(Buffer.alloc(9_600));
      while (body.isOpen) {
        const before = pieces;
        body.raw(Buffer.alloc(2));
        await waitUntil(() => (pieces > before || !body.isOpen ? true : undefined));
        vi.advanceTimersByTime(14_000);
      }
    };

    const { outcome } = await speak(drip, NEVER, () => (pieces += 1));

    expect(outcome).toEqual(failure("stopped sending in the middle of its answer."));
    expect(pieces).toBeGreaterThan(5);
  });

  it("says nothing more when it is stopped, and drops its request", async () => {
    const stopping = new AbortController();
    const { pieces } = await speak((body) => {
      body.head(200, { "content-type": "audio/pcm" });
      body.raw(Buffer.alloc(2_000));
      stopping.abort();
      body.raw(Buffer.alloc(20_000));
    }, stopping.signal);

    expect(pieces).toEqual([]);
    expect(await waitUntil(() => fake!.dropped() || undefined)).toBe(1);
  });
});
