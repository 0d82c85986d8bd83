import { afterEach, describe, expect, it } from "vitest";

import { createOpenAiTranscription } from "../../../../model/voice/cascade/openai-transcription.ts";
import type { Transcript } from "../../../../model/voice/cascade/ports.ts";
import { textToPcm } from "../../../../model/voice/tones.ts";
import { createOutgoing } from "../../../../outgoing/outgoing.ts";
import {
  startFakeAudio,
  type FakeAudio,
  type TranscriptionTurn,
} from "../../../support/voice/fake-audio.ts";
import { waitUntil } from "../../../support/wait-for.ts";

const SECRET = "sk-secret-of-the-tests";
let fake: FakeAudio | undefined;

afterEach(async () => {
  await fake?.stop();
  fake = undefined;
});

async function transcribe(
  turn?: TranscriptionTurn,
  { stop = new AbortController().signal, deltas = [] as string[] } = {},
): Promise<Transcript> {
  fake = await startFakeAudio(turn ? { transcription: [turn] } : {});
  const port = createOpenAiTranscription(
    {
      provider: "openai",
      name: "listener-1",
      parameters: { language: "de", prompt: "An order number" },
    },
    {
      outgoing: createOutgoing({ fetch, environment: "local" }),
      base_url: `${fake.baseUrl}/`,
      apiKey: SECRET,
    },
  );
  return port.transcribe(textToPcm("where is it?", 16_000), stop, (delta) => deltas.push(delta));
}

function events(...values: readonly object[]): TranscriptionTurn {
  return (body) => {
    for (const value of values) body.raw(`data: ${JSON.stringify(value)}\n\n`);
    body.end();
  };
}

function failed(message: string): Transcript {
  const { host } = new URL(fake!.baseUrl);
  const shown = `The transcription endpoint ${host} ${message}`;
  return { ok: false, failure: { code: "transcription_failed", message: shown } };
}

describe("Transcription by an OpenAI-compatible endpoint", () => {
  it("sends the turn as a named WAV file, and takes plain JSON", async () => {
    const transcript = await transcribe();

    expect(transcript).toEqual({ ok: true, text: "where is it?", usage: null });
    const { bytes, ...sent } = fake!.heard[0]!;
    expect(sent).toEqual({
      authorization: `Bearer ${SECRET}`,
      name: "turn.wav",
      type: "audio/wav",
      members: {
        model: "listener-1",
        response_format: "json",
        language: "de",
        prompt: "An order number",
      },
    });
    expect(Buffer.from(bytes.slice(0, 44)).toString("latin1")).toMatch(/^RIFF.{4}WAVEfmt .*data/s);
  });

  it("takes a stream of events, with deltas before the whole", async () => {
    const deltas: string[] = [];
    const transcript = await transcribe(
      events(
        { type: "transcript.text.delta", delta: "where " },
        { type: "transcript.text.segment", text: "?" },
        { type: "transcript.text.delta", delta: "is it" },
        {
          type: "transcript.text.done",
          text: "Where is it?",
          usage: { type: "tokens", input_tokens: 14, output_tokens: 4, total_tokens: 18 },
        },
      ),
      { deltas },
    );

    const usage = {
      input_tokens: 14,
      output_tokens: 4,
      cache_input_tokens: 0,
      cache_creation_input_tokens: 0,
    };
    expect(transcript).toEqual({ ok: true, text: "Where is it?", usage });
    expect(deltas).toEqual(["where ", "is it"]);
  });

  it.each<[string, TranscriptionTurn, string]>([
    [
      "a refused secret, which is not repeated",
      (body) => body.refuse(401, { error: { message: `Bad key ${SECRET}`, code: "invalid_key" } }),
      "answered 401 (invalid_key): Bad key [redacted]",
    ],
    [
      "too many requests",
      (body) => body.refuse(429, { error: { message: "Slow down", type: "rate_limit" } }),
      "answered 429 (rate_limit): Slow down",
    ],
    ["a refusal without words", (body) => body.refuse(500, {}), "answered 500."],
    [
      "a list of what is wrong, as FastAPI has it",
      (body) => body.refuse(422, { detail: [{ msg: "file is too short" }] }),
      "answered 422: file is too short",
    ],
    [
      "a page in place of JSON",
      (body) => body.answer("<html>Welcome</html>", "text/html"),
      "answered in a form that could not be read: <html>Welcome</html>",
    ],
    [
      "JSON without a text",
      (body) => body.answer('{"message":"model is loading"}', "application/json"),
      "answered in a form that could not be read: model is loading",
    ],
    [
      "an error among events",
      events({ type: "error", error: { message: "No room", code: "overloaded" } }),
      "failed (overloaded): No room",
    ],
    [
      "events without an end",
      events({ type: "transcript.text.delta", delta: "wh" }),
      "closed the connection before its answer ended.",
    ],
    [
      "a cut connection",
      async (body) => {
        body.head(200, { "content-type": "application/json" });
        body.raw('{"text":');
        await body.cut();
      },
      "closed the connection before its answer ended.",
    ],
    ["a flood", (body) => body.flood("x".repeat(65_536)), "answered with more than may be read."],
    ["a redirect", (body) => body.refuse(302, {}, { location: "/elsewhere" }), "answered 302."],
  ])("names %s", async (_name, turn, message) => {
    expect(await transcribe(turn)).toEqual(failed(message));
  });

  it("is bounded in text", async () => {
    const transcript = await transcribe((body) =>
      body.answer(JSON.stringify({ text: "a".repeat(50_000) }), "application/json"),
    );

    expect(transcript).toEqual({ ok: true, text: "a".repeat(20_000), usage: null });
  });

  it("ends soon when it is stopped, and drops its request", async () => {
    const stopping = new AbortController();
    const pending = transcribe(
      (body) => {
        body.head(200, { "content-type": "application/json" });
        body.raw("{");
        stopping.abort();
      },
      { stop: stopping.signal },
    );

    await pending;
    expect(await waitUntil(() => fake!.dropped() || undefined)).toBe(1);
  });

  it("does not ask an address that is not allowed", async () => {
    const port = createOpenAiTranscription(
      { provider: "openai", name: "listener-1", parameters: {} },
      {
        outgoing: createOutgoing({ fetch, environment: "production" }),
        base_url: "http://10.0.0.1",
      },
    );

    const transcript = await port.transcribe(new Uint8Array(2), NEVER, () => undefined);

    const message =
      "The transcription endpoint 10.0.0.1 has an address that the platform does not connect to: plain http:// is not allowed; use https://";
    expect(transcript).toEqual({ ok: false, failure: { code: "transcription_failed", message } });
  });
});

const NEVER = new AbortController().signal;
