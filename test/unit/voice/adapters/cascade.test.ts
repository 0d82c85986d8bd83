import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { createScriptedModel } from "../../../../model/scripted/scripted-model.ts";
import { createCascade } from "../../../../model/voice/cascade/cascade.ts";
import type { SpeechPort } from "../../../../model/voice/cascade/ports.ts";
import {
  createScriptedSpeech,
  createScriptedTranscription,
} from "../../../../model/voice/cascade/scripted-speech.ts";
import { createVoiceModel } from "../../../../model/voice/create-voice-model.ts";
import { textToPcm } from "../../../../model/voice/tones.ts";
import { createOutgoing } from "../../../../outgoing/outgoing.ts";
import { createSecretSource } from "../../../../outgoing/secret-source.ts";
import { UserMsg } from "../../../../protocol/messages/constructors.ts";
import { VoiceSettingsSchema } from "../../../../protocol/voice/contract.ts";
import {
  startFakeAudio,
  speaks,
  transcribes,
  type FakeAudio,
} from "../../../support/voice/fake-audio.ts";
import { askVoice, openVoice, SERVER_TURNS } from "../../../support/voice/opened-voice.ts";
import { waitUntil } from "../../../support/wait-for.ts";

let fake: FakeAudio | undefined;

afterEach(async () => {
  await fake?.stop();
  fake = undefined;
});

const CONTEXT = {
  outgoing: createOutgoing({ fetch, environment: "local" }),
  secrets: createSecretSource(new Map()),
  decideTurn: () => ({ parts: [] }),
};

const TEXT_MODEL = createScriptedModel({
  name: "text",
  tokensPerSecond: 0,
  decideTurn: () => ({ parts: [] }),
});

function scriptedCascade() {
  const parts = { transcription: { provider: "scripted" }, speech: { provider: "scripted" } };
  return createVoiceModel(VoiceSettingsSchema.parse({ mode: "cascade", ...parts }), CONTEXT);
}

async function remoteCascade(turns: Parameters<typeof startFakeAudio>[0] = {}) {
  fake = await startFakeAudio(turns);
  const model = { provider: "openai", name: "model-1", base_url: fake.baseUrl };
  const settings = { mode: "cascade", transcription: model, speech: model, voice: "cedar" };
  return createVoiceModel(VoiceSettingsSchema.parse(settings), CONTEXT);
}

function say(text: string) {
  return [UserMsg("user", `/say ${text}`)];
}

function hear(connection: { appendAudio(pcm: Uint8Array): void; commit(): void }, text: string) {
  connection.appendAudio(textToPcm(text, 16_000));
  connection.commit();
}

describe("A cascade", () => {
  it.each(["scripted", "remote"])(
    "hears, and says by sentences what a text model writes: %s",
    async (kind) => {
      const voice = kind === "scripted" ? scriptedCascade() : await remoteCascade();
      const { connection, until } = await openVoice(voice, { turns: SERVER_TURNS });
      connection.appendAudio(textToPcm("Where is it?", 16_000));
      connection.appendAudio(new Uint8Array(32_000));
      const heard = await until("transcript");
      const [model] = connection.speaks([TEXT_MODEL]);

      const written = await askVoice(model, say("It **left** today.  Anything else?"));

      expect(heard).toEqual([
        "hears item1 from 0",
        "heard item1 to 760",
        "transcript of item1: Where is it?",
      ]);
      expect(written).toEqual(["It **left** today.  Anything else?"]);
      expect((await until("r1 is")).slice(3)).toEqual([
        "response r1",
        'item2 is the text "It **left** today.  Anything else?"',
        'item2 sounds like "It left today. Anything else?"',
        "r1 is completed",
      ]);
    },
  );

  it("tells each sentence before its audio", async () => {
    const { connection, until, events } = await openVoice(scriptedCascade());
    const [model] = connection.speaks([TEXT_MODEL]);
    await askVoice(model, say("One. Two."));
    await until("r1 is");

    const told = events.map((event) => ("delta" in event ? event.delta : event.type));
    expect(told.filter((type, index) => type !== told[index - 1])).toEqual([
      "session_created",
      "response_created",
      "One.",
      "response_audio_delta",
      " Two.",
      "response_audio_delta",
      "response_audio_transcript_done",
      "response_audio_done",
      "response_done",
    ]);
  });

  it("goes on with the text while the audio is still coming, and asks for one sentence ahead", async () => {
    const gate = Promise.withResolvers<void>();
    const voice = await remoteCascade({
      speech: [
        async (body, asked) => {
          await gate.promise;
          await speaks(body, asked);
        },
        speaks,
      ],
    });
    const { connection, until, lines } = await openVoice(voice);
    const [model] = connection.speaks([TEXT_MODEL]);

    const written = await askVoice(model, say("Here it is. Two sentences. Three of them."));
    await waitUntil(() => (fake!.asked.length === 2 ? true : undefined));
    const before = lines();
    gate.resolve();

    expect(written).toEqual(["Here it is. Two sentences. Three of them."]);
    expect(before).toEqual(["response r1"]);
    expect(await until("r1 is")).toContain(
      'item1 sounds like "Here it is. Two sentences. Three of them."',
    );
    expect(fake!.asked.map(({ body }) => body["input"])).toEqual([
      "Here it is.",
      "Two sentences.",
      "Three of them.",
    ]);
  });

  it("says answers in their order, and calls pass unchanged", async () => {
    const { connection, until } = await openVoice(scriptedCascade());
    const [model] = connection.speaks([TEXT_MODEL]);

    const first = await askVoice(model, [UserMsg("user", "/say Let me look.\n/call look {}")]);
    await askVoice(model, say("Found."));

    expect(first).toEqual(["Let me look.", "look{}"]);
    expect(await until("r2 is")).toEqual([
      "response r1",
      'item1 is the text "Let me look."',
      'item1 sounds like "Let me look."',
      "r1 is completed",
      "response r2",
      'item2 is the text "Found."',
      'item2 sounds like "Found."',
      "r2 is completed",
    ]);
  });

  it("stops saying at a barge-in, and drops the requests", async () => {
    const voice = await remoteCascade({
      speech: [
        (body) => {
          body.head(200, { "content-type": "audio/pcm" });
          body.raw(Buffer.from(textToPcm("Here", 24_000)));
        },
      ],
    });
    const { connection, until, events } = await openVoice(voice);
    const [model] = connection.speaks([TEXT_MODEL]);
    await askVoice(model, say("Here it is. Two sentences. Three of them."));
    await waitUntil(() => events.find(({ type }) => type === "response_audio_delta"));
    await waitUntil(() => (fake!.asked.length === 2 ? true : undefined));

    connection.cancel();

    expect(await until("r1 is")).toEqual([
      "response r1",
      'item1 is the text "Here it is."',
      'item1 sounds like "Here"',
      "r1 is cancelled",
    ]);
    await waitUntil(() => (fake!.dropped() === 2 ? true : undefined));
    expect(fake!.asked).toHaveLength(2);
  });

  it("stops saying all answers that are under way at a barge-in", async () => {
    const voice = await remoteCascade({ speech: [() => undefined] });
    const { connection, until } = await openVoice(voice);
    const [model] = connection.speaks([TEXT_MODEL]);
    await askVoice(model, say("One."));
    await askVoice(model, say("Two."));
    await askVoice(model, say("Three."));

    connection.cancel();
    const told = await until("r3 is");

    expect(told.filter((line) => line.includes(" is "))).toEqual([
      'item1 is the text "One."',
      "r1 is cancelled",
      "r2 is cancelled",
      "r3 is cancelled",
    ]);
  });

  it("stops saying what its model call is stopped in", async () => {
    const { connection, until } = await openVoice(scriptedCascade());
    const [model] = connection.speaks([TEXT_MODEL]);
    const stopping = new AbortController();
    const written = askVoice(model, [UserMsg("user", "/say One.\n/wait 100000")], {
      stop: stopping.signal,
    });
    await until("response r1");
    stopping.abort();

    await written;
    expect((await until("r1 is")).at(-1)).toBe("r1 is cancelled");
  });

  it("loses no text when its speech fails, and says the next answer", async () => {
    const voice = await remoteCascade({
      speech: [
        (body) => body.refuse(429, { error: { message: "Slow down", code: "too_many" } }),
        speaks,
      ],
    });
    const { connection, until } = await openVoice(voice);
    const [model] = connection.speaks([TEXT_MODEL]);

    const written = await askVoice(model, say("Here it is. Two sentences. Three of them."));
    await until("r1 is");
    await askVoice(model, say("Again."));

    const { host } = new URL(fake!.baseUrl);
    expect(written).toEqual(["Here it is. Two sentences. Three of them."]);
    expect(await until("r2 is")).toEqual([
      "response r1",
      "error speech_failed: The speech endpoint HOST answered 429 (too_many): Slow down".replace(
        "HOST",
        host,
      ),
      'item1 is the text "Here it is."',
      "item1 sounds like null",
      "r1 is failed",
      "response r2",
      'item2 is the text "Again."',
      'item2 sounds like "Again."',
      "r2 is completed",
    ]);
  });

  it("does not say code, and ends an answer of code alone", async () => {
    const { connection, until } = await openVoice(scriptedCascade());
    const [model] = connection.speaks([TEXT_MODEL]);
    const code = "/say ```\n/say let a = 1;\n/say ```";

    await askVoice(model, [UserMsg("user", code)]);

    expect(await until("r1 is")).toEqual([
      "response r1",
      'item1 is the text "```\\nlet a = 1;\\n```"',
      "item1 sounds like null",
      "r1 is completed",
    ]);
  });

  it("tells of a turn that could not be written down, and writes the next one down", async () => {
    const voice = await remoteCascade({
      transcription: [
        (body) => body.refuse(500, { error: { message: "Out of order" } }),
        transcribes,
      ],
    });
    const { connection, until } = await openVoice(voice);
    hear(connection, "One.");
    hear(connection, "Two.");

    const { host } = new URL(fake!.baseUrl);
    expect((await until("transcript")).slice(4)).toEqual([
      `error of item1 transcription_failed: The transcription endpoint ${host} answered 500: Out of order`,
      "transcript of item2: Two.",
    ]);
  });

  it("bounds the turns that wait for their text", async () => {
    const gate = Promise.withResolvers<void>();
    const voice = await remoteCascade({
      transcription: [
        async (body, heard) => {
          await gate.promise;
          await transcribes(body, heard);
        },
      ],
    });
    const { connection, until } = await openVoice(voice);
    for (let turn = 1; turn <= 9; turn += 1) hear(connection, `${turn}`);
    gate.resolve();

    const told = await until("transcript of item8");
    expect(told.filter((line) => line.startsWith("error") || line.startsWith("tr"))).toEqual([
      "error of item9 transcription_failed: Too many turns wait for their text.",
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((turn) => `transcript of item${turn}: ${turn}`),
    ]);
  });

  it("asks for no more than is heard soon", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const scripted = createScriptedSpeech();
    const asked: string[] = [];
    const speech: SpeechPort = {
      ...scripted,
      speak: (text, ...others) => {
        asked.push(text);
        return scripted.speak(text, ...others);
      },
    };
    const voice = createCascade({ transcription: createScriptedTranscription(), speech });
    const { connection, until } = await openVoice(voice);
    const [model] = connection.speaks([TEXT_MODEL]);
    const fourteenSeconds = `${"a".repeat(350)}.`;

    await askVoice(model, say(Array.from({ length: 4 }, () => fourteenSeconds).join(" ")));
    const counts: number[] = [];
    for (const waitMs of [0, 8_000, 1_000, 14_000, 20_000]) {
      await vi.advanceTimersByTimeAsync(waitMs);
      counts.push(asked.length);
    }

    // The first sentence is said in two pieces.
    expect(counts).toEqual([3, 3, 4, 5, 5]);
    await until("r1 is completed");
  });

  it("says nothing more once it is closed, while its text goes on", async () => {
    const { connection, events } = await openVoice(scriptedCascade());
    const [model] = connection.speaks([TEXT_MODEL]);
    connection.close();

    expect(await askVoice(model, say("Still here."))).toEqual(["Still here."]);
    expect(events.map(({ type }) => type)).toEqual(["session_created"]);
  });

  it("opens no connection with a credential that is gone", async () => {
    const remote = { provider: "openai", name: "model-1", credential_id: "cred_1" };
    const settings = { mode: "cascade", transcription: remote, speech: { provider: "scripted" } };
    const voice = createVoiceModel(VoiceSettingsSchema.parse(settings), CONTEXT);

    await expect(openVoice(voice)).rejects.toThrow(
      "The credential cred_1 of this agent's model was deleted; nothing was sent.",
    );
  });
});
