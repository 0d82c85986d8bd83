// Interruptions of a talking agent: speech, typed text, an interrupt. The log and the context have what was heard.
import { expect, test } from "vitest";

import { request } from "../../support/platform-client.ts";
import { CASCADE, openVoiceDesk, readConversation } from "../../support/voice/voice-desk.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

const LONG = "One two three four five six seven eight nine ten.";

const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";

/** A client that is in the middle of hearing a long answer, whose reply has ended. */
async function hearing(voice: object = {}) {
  const desk = await openVoiceDesk(voice);
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key, plays: false });
  client.speak(`/say ${LONG}`);
  client.send({ type: "commit" });
  await client.event(isEnd);
  await client.until(() => client.frames.some(({ type }) => type === "audio_end"));
  const end = client.frames.find(({ type }) => type === "audio_end");
  const item = end && "item" in end ? end.item : 0;
  return { desk, client, item };
}

test.each([
  ["realtime", {}],
  ["cascade", CASCADE],
])("typed text cuts off what is still being played, in mode %s", async (_mode, voice) => {
  const { desk, client, item } = await hearing(voice);
  client.played(item, 500);
  client.send({ type: "text", text: "/say Yes?" });
  await client.until(() => client.frames.some(({ type }) => type === "audio_clear"));
  // "One two" takes 80 + 7 · 40 ms; the next word is not whole.
  client.played(item, 500);
  await client.until(() => client.events.filter(isEnd).length === 2);
  const [truncated, ...others] = client.customs("speech_truncated");
  expect(others).toEqual([]);
  expect(truncated).toMatchObject({ text: "One two", played_ms: 500 });
  expect(await readConversation(desk)).toEqual([
    `user: /say ${LONG}`,
    "assistant: One two",
    "user: /say Yes?",
    "assistant: Yes?",
  ]);
  await client.close();
});

test("an answer of which nothing was heard has no words", async () => {
  const { desk, client, item } = await hearing();
  client.send({ type: "interrupt" });
  await client.until(() => client.frames.some(({ type }) => type === "audio_clear"));
  client.played(item, 0);
  await client.until(() => client.customs("speech_truncated").length > 0);
  expect(client.customs("speech_truncated")).toMatchObject([{ text: "", played_ms: 0 }]);
  expect(await readConversation(desk)).toEqual([`user: /say ${LONG}`, "assistant: "]);
  await client.close();
});

test("speech interrupts a reply whose model talks", async () => {
  const desk = await openVoiceDesk({
    turns: { type: "server_vad" },
    model: { provider: "scripted", parameters: { tokens_per_second: 5 } },
  });
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key, plays: false });
  client.speak(`/say ${LONG}`);
  client.silence(800);
  await client.until(() => client.frames.some(({ type }) => type === "binary"));
  client.speak("/say Stop.");
  client.silence(800);
  await client.until(() => client.frames.some(({ type }) => type === "audio_clear"));
  await client.until(() => client.events.filter(isEnd).length === 2);
  const ends = client.events.filter(isEnd);
  expect(ends.map((end) => "finished_reason" in end && end.finished_reason)).toEqual([
    "interrupted",
    "completed",
  ]);
  await client.close();
});

test("replies over HTTP go on while nobody listens", async () => {
  const { desk, client } = await hearing();
  await client.close();
  const { status } = await request("POST", `/v1/sessions/${desk.sessionId}/replies`, {
    key: desk.key,
    body: { input: "/say By hand." },
  });
  expect(status).toBe(200);
});
