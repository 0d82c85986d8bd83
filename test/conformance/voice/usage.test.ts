// Speech that was heard and said is counted, and the log says who has spoken.
import { expect, onTestFinished, test } from "vitest";

import { openRequest, request } from "../../support/platform-client.ts";
import { speaks, startFakeAudio } from "../../support/voice/fake-audio.ts";
import { CASCADE, openVoiceDesk, readMessages, REALTIME } from "../../support/voice/voice-desk.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

const NO_TOKENS = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

async function say(client: VoiceClient, text: string): Promise<void> {
  client.speak(`/say ${text}`);
  client.send({ type: "commit" });
  const told = client.customs("speech_said").length;
  await client.until(() => client.customs("speech_said").length > told);
}

async function untilUsage(key: string, model: string): Promise<readonly object[]> {
  const path = `/v1/usage?group_by=model&model_name=${model}`;
  for (;;) {
    const { body } = await request<{ data: object[] }>("GET", path, { key });
    if (body.data.length > 0) return body.data;
  }
}

test.each([
  ["realtime", REALTIME],
  ["cascade", CASCADE],
])("in mode %s a message has the milliseconds that were heard or said", async (_mode, voice) => {
  const desk = await openVoiceDesk(voice);
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  await say(client, "Hello you.");
  const said_ms = Math.round(client.receivedMs(2));
  await client.event(({ type }) => type === "REPLY_END");
  const [heard, said] = await readMessages(desk);
  expect(heard?.usage).toEqual({ ...NO_TOKENS, audio: { input_ms: 680 } });
  expect(said?.usage?.audio).toEqual({ output_ms: said_ms });
  expect(said_ms).toBeGreaterThan(0);
  expect(client.customs("speech_said")).toEqual([
    { message_id: said?.id, audio: { output_ms: said_ms } },
  ]);
  const path = `/v1/sessions/${desk.sessionId}/replies/${said?.id}`;
  const { body } = await request<{ usage: object }>("GET", path, { key: desk.key });
  expect(body.usage).toEqual(said?.usage);
  await client.close();
});

test.each([
  ["realtime", REALTIME, ["refund-desk"]],
  ["cascade", CASCADE, ["scripted"]],
])("speech of mode %s is in the tenant's usage, by the model", async (_mode, voice, models) => {
  const desk = await openVoiceDesk(voice);
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  await say(client, "Hello you.");
  await say(client, "And you.");
  await client.event(({ type }) => type === "REPLY_END");
  const [heard, said] = await readMessages(desk);
  const first = { ...heard?.usage?.audio, ...said?.usage?.audio };
  expect(first).toEqual({ input_ms: expect.any(Number), output_ms: expect.any(Number) });
  // Speech behind the end of a reply is told with the next one.
  const paths = ["/v1/usage?group_by=model", "/v1/usage/series?series_by=model"];
  for (const path of paths) {
    const rows = await untilSpoken(desk.key, path, 2);
    expect(rows).toEqual(
      models.map((model_name) => [model_name, expect.any(Number), expect.any(Number), 0, 0]),
    );
  }
  const [total] = await untilSpoken(desk.key, "/v1/usage?group_by=day", 2);
  const csv = await openRequest("GET", "/v1/usage?group_by=day&format=csv", { key: desk.key });
  expect((await csv.text()).split("\r\n")[1]).toContain(`,${total?.slice(1).join(",")}`);
  await client.close();
});

/** Sums with speech, once as many milliseconds were said as by two answers at least. */
async function untilSpoken(key: string, path: string, turns: number) {
  const fields = ["input_ms", "output_ms", "input_tokens", "output_tokens"] as const;
  for (;;) {
    const { body } = await request<{
      data?: Record<string, number | string>[];
      points?: Record<string, number | string>[];
    }>("GET", path, { key });
    const rows = (body.data ?? body.points ?? []).map((row) => [
      row["model_name"],
      ...fields.map((name) => Number(row[`audio_${name}`])),
    ]);
    const spoken = rows.filter(([, input, output]) => Number(input) + Number(output) > 0);
    if (spoken.some(([, input]) => Number(input) >= turns * 300)) return spoken;
  }
}

test("a session without speech counts none", async () => {
  const desk = await openVoiceDesk();
  const path = `/v1/sessions/${desk.sessionId}/replies`;
  const { body } = await request<{ message: { usage: object } }>("POST", path, {
    key: desk.key,
    body: { input: "/say Hello." },
  });
  expect(Object.keys(body.message.usage)).toEqual(Object.keys(NO_TOKENS));
});

test("tokens of a transcription are those of the message", async () => {
  const fake = await startFakeAudio({
    speech: [speaks],
    transcription: [
      (body) => {
        const usage = {
          type: "tokens",
          input_tokens: 14,
          input_token_details: { text_tokens: 4, audio_tokens: 10 },
          output_tokens: 5,
          total_tokens: 19,
        };
        body.answer(JSON.stringify({ text: "/say Hello you.", usage }), "application/json");
      },
    ],
  });
  onTestFinished(() => fake.stop());
  const model = { provider: "openai", name: "ears-1", base_url: fake.baseUrl };
  const desk = await openVoiceDesk({ mode: "cascade", transcription: model, speech: model });
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  await say(client, "Hello you.");
  const [heard] = await readMessages(desk);
  expect(heard?.usage).toEqual({
    ...NO_TOKENS,
    input_tokens: 14,
    output_tokens: 5,
    audio: { input_ms: 680, input_tokens: 10 },
  });
  const rows = await untilUsage(desk.key, "ears-1");
  expect(rows).toMatchObject([{ replies: 0, input_tokens: 14, output_tokens: 5, cost_usd: null }]);
  await client.close();
});

test("the log says who has opened the voice connection, and who has spoken", async () => {
  const desk = await openVoiceDesk();
  const { body: keys } = await request<{ data: { id: string }[] }>("GET", "/v1/api-keys", {
    key: desk.key,
  });
  const path = `/v1/sessions/${desk.sessionId}/tokens`;
  const { body: token } = await request<{ id: string; token: string }>("POST", path, {
    key: desk.key,
    body: { verbs: ["read", "speak"] },
  });
  const first = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  await say(first, "One.");
  const second = await VoiceClient.connect(desk.sessionId, { key: token.token });
  await say(second, "Two.");
  const events = [...first.events, ...second.events].flatMap((event) =>
    event.type === "CUSTOM" ? [[event.name, event.metadata]] : [],
  );
  const own = { kind: "api_key", id: keys.data[0]?.id };
  const handedOut = { kind: "client_token", id: token.id };
  expect(
    events.filter(([name]) => name === "voice_opened" || name === "speech_transcribed"),
  ).toEqual([
    ["voice_opened", { opened_by: own }],
    ["speech_transcribed", { spoken_by: own }],
    ["voice_opened", { opened_by: handedOut }],
    ["speech_transcribed", { spoken_by: handedOut }],
  ]);
  await second.close();
});
