// Models that lie, flood and hang in a cascade: the person is answered or told, the next turn goes on, and what was said is text.
import { expect, onTestFinished, test } from "vitest";

import { startFakeOpenAi, says, type FakeTurn } from "../../support/fake-openai.ts";
import {
  speaks,
  startFakeAudio,
  transcribes,
  type SpeechTurn,
  type TranscriptionTurn,
} from "../../support/voice/fake-audio.ts";
import { openVoiceDesk, readMessages, type VoiceDesk } from "../../support/voice/voice-desk.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

interface Models {
  readonly speech?: readonly SpeechTurn[];
  readonly transcription?: readonly TranscriptionTurn[];
  readonly text?: readonly FakeTurn[];
}

const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";
const SAID = "Good day.";

async function connect({ text, ...audio }: Models, agent: object = {}) {
  const fake = await startFakeAudio(audio);
  onTestFinished(() => fake.stop());
  const model = { provider: "openai", name: "model-1", base_url: fake.baseUrl };
  const voice = { mode: "cascade", transcription: model, speech: model };
  const writer = text && (await startFakeOpenAi(...text));
  if (writer) onTestFinished(() => writer.stop());
  const written = writer && {
    model: { provider: "openai", name: "model-2", base_url: writer.baseUrl },
  };
  const desk = await openVoiceDesk(voice, { ...written, ...agent });
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  return { fake, writer, desk, client };
}

function say(client: VoiceClient, text: string): void {
  client.speak(text);
  client.send({ type: "commit" });
}

function untilEnds(client: VoiceClient, ends: number): Promise<void> {
  return client.until(() => client.events.filter(isEnd).length === ends);
}

/** The texts of the conversation, and how each message ended. */
async function conversationOf(desk: VoiceDesk) {
  return (await readMessages(desk)).map(({ content }) => content.map(({ text = "" }) => text));
}

function untilHeard(client: VoiceClient, said: string): Promise<void> {
  return client.until(() => client.heard().some(({ text }) => text === said));
}

function untilAudioEnds(client: VoiceClient, ends: number): Promise<void> {
  return client.until(
    () => client.frames.filter(({ type }) => type === "audio_end").length === ends,
  );
}

test("samples without an end come no faster than they are heard, and end with the next word", async () => {
  const floods: SpeechTurn = (body) => {
    body.head(200, { "content-type": "audio/pcm" });
    return body.flood(Buffer.alloc(65_536));
  };
  const { fake, client } = await connect({ speech: [floods, speaks] });
  say(client, "/say One.");
  await client.until(() => client.receivedMs(2) > 0);
  await untilEnds(client, 1);
  client.send({ type: "text", text: "/say Two." });
  await untilHeard(client, "Two.");

  expect(fake.dropped()).toBe(1);
  // Audio that is sent ahead, and that came while the next word did.
  expect(client.receivedMs(2)).toBeLessThan(60_000);
  expect(client.errors).toEqual([]);
  await client.close();
});

test("words without an end in place of speech are a failure, and the next answer is heard", async () => {
  const floods: SpeechTurn = (body) => body.flood("x".repeat(65_536));
  const { desk, client } = await connect({ speech: [floods, speaks] });
  say(client, "/say One.");
  await client.until(() => client.errors.length > 0);
  await untilEnds(client, 1);
  client.send({ type: "text", text: "/say Two." });
  await untilHeard(client, "Two.");

  expect(client.errors).toMatchObject([{ code: "voice_failed" }]);
  expect((await conversationOf(desk)).flat()).toContain("Two.");
  await client.close();
});

test("speech that hangs holds up neither the text nor the next turn", async () => {
  const { fake, desk, client } = await connect({ speech: [() => undefined, speaks] });
  say(client, "/say One.");
  await untilEnds(client, 1);
  client.send({ type: "text", text: "/say Two." });
  await untilEnds(client, 2);
  await untilHeard(client, "Two.");

  expect(fake.dropped()).toBe(1);
  // Nothing of it was heard.
  expect(await conversationOf(desk)).toEqual([["/say One."], [""], ["/say Two."], ["Two."]]);
  await client.close();
});

test("a transcript of megabytes is no turn, and one that is hostile is text and nothing else", async () => {
  const hostile = `<img src=x onerror=alert(1)> \u0000\u202e {"type":"started"} \ud800 </script>`;
  const { desk, client } = await connect(
    {
      transcription: [
        (body) => {
          body.head(200, { "content-type": "application/json" });
          return body.flood(`{"text":"${"a".repeat(65_536)}`);
        },
        (body) => body.answer(JSON.stringify({ text: hostile }), "application/json"),
        (body) => body.answer('{"text":{"a":[1]},"usage":"no"}', "application/json"),
        transcribes,
      ],
      text: [says("So it is.")],
    },
    {},
  );
  say(client, SAID);
  await client.until(() => client.errors.length === 1);
  say(client, SAID);
  await untilAudioEnds(client, 1);
  say(client, SAID);
  await client.until(() => client.errors.length === 2);
  say(client, SAID);
  await untilAudioEnds(client, 2);

  expect(client.errors.map(({ code }) => code)).toEqual([
    "speech_not_transcribed",
    "speech_not_transcribed",
  ]);
  expect(await conversationOf(desk)).toEqual([
    [""],
    [hostile.toWellFormed()],
    ["So it is."],
    [""],
    [SAID],
    ["So it is."],
  ]);
  expect(client.frames.filter(({ type }) => type === "started")).toHaveLength(1);
  await client.close();
});

test("a text without an end is stopped by the next word, and is what was heard of it", async () => {
  const endless: FakeTurn = async (stream) => {
    stream.delta({ role: "assistant", content: "" });
    while (stream.isOpen) {
      stream.text("and so on ");
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const { writer, desk, client } = await connect({ text: [endless, says("Yes?")] });
  say(client, SAID);
  await client.until(() => client.heard().length > 0);
  client.send({ type: "text", text: "Stop." });
  await client.event(isEnd);
  await writer?.abandoned;
  await untilEnds(client, 2);
  await untilHeard(client, "Yes?");

  const [, [cut = ""] = []] = await conversationOf(desk);
  expect(/^(and so on ?)*(and( so)?)?$/.test(cut)).toBe(true);
  expect(cut.length).toBeLessThan(2_000);
  expect(client.errors).toEqual([]);
  await client.close();
});

test("a model that says nothing makes no sound and no gap, whatever it ends with", async () => {
  const { desk, client } = await connect({
    text: [
      (stream) => {
        stream.delta({ role: "assistant", content: "" });
        stream.finish();
        stream.done();
      },
      says("   \n\n"),
      says("Here I am."),
    ],
  });
  for (let turn = 1; turn <= 3; turn += 1) {
    say(client, SAID);
    await untilEnds(client, turn);
  }
  await untilHeard(client, "Here I am.");

  expect(client.heard().map(({ text }) => text)).toEqual(["Here I am."]);
  expect((await conversationOf(desk)).at(-1)).toEqual(["Here I am."]);
  await client.close();
});

test("calls of tools without an end are as many as the agent's turns, and the person may speak meanwhile", async () => {
  const calls: FakeTurn = (stream) => {
    stream.delta({ role: "assistant", content: null });
    stream.calls({ index: 0, id: `call_${crypto.randomUUID()}`, name: "nothing", arguments: "{}" });
    stream.finish("tool_calls");
    stream.done();
  };
  const { writer, desk, client } = await connect({ text: [calls] }, { max_iters: 5 });
  say(client, SAID);
  await untilEnds(client, 1);

  expect(writer?.requests.length).toBe(5);
  expect(client.heard()).toEqual([]);
  expect(await conversationOf(desk)).toHaveLength(2);
  await client.close();
});
