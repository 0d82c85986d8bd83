// Requests of a cascade as the runtime makes them: its forms and its bodies are not those of Node.
import { describe, expect, inject, it } from "vitest";

import { createOpenAiSpeech } from "../../../model/voice/cascade/openai-speech.ts";
import { createOpenAiTranscription } from "../../../model/voice/cascade/openai-transcription.ts";
import { pcmToText, textToPcm } from "../../../model/voice/tones.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";

// As test/support/voice/provide-voice-servers.ts provides it; that file is of Node and not of this program.
declare module "vitest" {
  interface ProvidedContext {
    readonly fakeAudioUrl: string;
  }
}

const MODEL = { provider: "openai", name: "model-1", parameters: {} } as const;
const NEVER = new AbortController().signal;

function endpoint() {
  const outgoing = createOutgoing({ fetch, environment: "local" });
  return { outgoing, base_url: inject("fakeAudioUrl") };
}

describe("An endpoint of audio", () => {
  it("is sent a turn as a file, and gives its text", async () => {
    const port = createOpenAiTranscription(MODEL, endpoint());
    const pcm = textToPcm("Where is it?", port.rate);

    expect(await port.transcribe(pcm, NEVER, () => undefined)).toEqual({
      ok: true,
      text: "Where is it?",
      usage: null,
    });
  });

  it("is sent a sentence, and gives its samples in pieces", async () => {
    const port = createOpenAiSpeech(MODEL, "default", endpoint());
    const pieces: number[] = [];

    const outcome = await port.speak("It left today.", NEVER, (pcm) => pieces.push(...pcm));

    expect(outcome).toBeNull();
    expect(pcmToText(Uint8Array.from(pieces), port.rate)).toBe("It left today.");
  });
});
