// A voice connection from the first frame to a spoken answer, in both modes.
import { describe, expect, test } from "vitest";

import {
  CASCADE,
  openVoiceDesk,
  readConversation,
  readMessages,
  REALTIME,
} from "../../support/voice/voice-desk.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";

describe.each([
  ["realtime", REALTIME],
  ["cascade", CASCADE],
])("in mode %s", (_mode, voice) => {
  test("a spoken turn is a reply, which is heard and read", async () => {
    const desk = await openVoiceDesk(voice);
    const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
    expect(client.started).toMatchObject({
      cursor: 0,
      input: { rate: 16_000 },
      output: { rate: 24_000 },
      turns: "manual",
      audio: "binary",
    });
    client.speak("/say Hello you.");
    client.send({ type: "commit" });
    await client.event(isEnd);
    await client.until(() => client.frames.some(({ type }) => type === "audio_end"));
    expect(client.errors).toEqual([]);
    expect(client.heard()).toEqual([{ item: 2, text: "Hello you." }]);
    expect(await readConversation(desk)).toEqual([
      "user: /say Hello you.",
      "assistant: Hello you.",
    ]);
    const [said] = await readMessages(desk);
    expect(said?.metadata["speech"]).toEqual({
      state: "transcribed",
      item: "1",
      ms: 680,
      spoken_by: { kind: "api_key", id: expect.any(String) },
    });
    expect(client.customs("speech_transcribed")).toEqual([
      { message_id: said?.id, text: "/say Hello you." },
    ]);
    await client.close();
  });

  test("silence ends a turn", async () => {
    const desk = await openVoiceDesk({ ...voice, turns: { type: "server_vad" } });
    const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
    expect(client.started?.turns).toBe("server");
    client.silence(300);
    client.speak("/say Yes.");
    client.silence(1_000);
    await client.event(isEnd);
    expect(await readConversation(desk)).toEqual(["user: /say Yes.", "assistant: Yes."]);
    await client.close();
  });

  test("typed text is answered aloud", async () => {
    const desk = await openVoiceDesk(voice);
    const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
    client.send({ type: "text", text: "/say Typed.", id: "msg_mine" });
    await client.event(isEnd);
    await client.until(() => client.frames.some(({ type }) => type === "audio_end"));
    expect(client.heard().map(({ text }) => text)).toEqual(["Typed."]);
    expect((await readMessages(desk))[0]).toMatchObject({ id: "msg_mine", role: "user" });
    await client.close();
  });

  test.each([8_000, 24_000, 48_000])("audio of %i Hz is heard and spoken", async (rate) => {
    const desk = await openVoiceDesk(voice);
    const start = { input: { rate }, output: { rate }, audio: "base64" as const };
    const client = await VoiceClient.connect(desk.sessionId, { key: desk.key, start });
    client.speak("/say At any rate.");
    client.send({ type: "commit" });
    await client.event(isEnd);
    await client.until(() => client.frames.some(({ type }) => type === "audio_end"));
    expect(client.heard().map(({ text }) => text)).toEqual(["At any rate."]);
    await client.close();
  });
});

test("a second turn knows the first, and replies over HTTP make no sound", async () => {
  const desk = await openVoiceDesk();
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  for (const word of ["One", "Two"]) {
    client.speak(`/say ${word}.`);
    client.send({ type: "commit" });
    const ends = client.events.filter(isEnd).length;
    await client.until(() => client.events.filter(isEnd).length > ends);
  }
  await client.until(() => client.frames.filter(({ type }) => type === "audio_end").length === 2);
  expect(client.heard().map(({ text }) => text)).toEqual(["One.", "Two."]);
  expect(await readConversation(desk)).toEqual([
    "user: /say One.",
    "assistant: One.",
    "user: /say Two.",
    "assistant: Two.",
  ]);
  await client.close();
});
