// A turn that is written down while it waits behind an open reply: its words, its tokens and who has spoken are told with its
// place.
import { expect, onTestFinished, test } from "vitest";

import { request } from "../../support/platform-client.ts";
import { speaks, startFakeAudio } from "../../support/voice/fake-audio.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";
import { openVoiceDesk, readMessages } from "../../support/voice/voice-desk.ts";

const TOKENS = {
  input_tokens: 14,
  output_tokens: 5,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
  audio: { input_tokens: 10 },
};

const tools = [
  { type: "external", name: "ask_shop", input_schema: { type: "object", properties: {} } },
];
const permission = { rules: [{ tool_name: "ask_shop", behavior: "allow" }] };

test("a turn behind a reply that waits has one event of its words, with tokens and speaker", async () => {
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
        body.answer(JSON.stringify({ text: "/say Second.", usage }), "application/json");
      },
    ],
  });
  onTestFinished(() => fake.stop());
  const ears = { provider: "openai", name: "ears-2", base_url: fake.baseUrl };
  const voice = { mode: "cascade", transcription: ears, speech: { provider: "scripted" } };
  const desk = await openVoiceDesk(voice, { tools, permission });
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  client.send({ type: "text", text: "/call ask_shop {}\n/say First." });
  const asked = await client.event(({ type }) => type === "REQUIRE_EXTERNAL_EXECUTION");
  client.speak("/say Second.");
  client.send({ type: "commit" });
  const queued = async () => {
    const path = `/v1/sessions/${desk.sessionId}`;
    const { body } = await request<{ queued_reply_ids: unknown[] }>("GET", path, { key: desk.key });
    return body.queued_reply_ids.length;
  };
  while ((await queued()) === 0);
  if (asked.type !== "REQUIRE_EXTERNAL_EXECUTION") throw new Error("another event");
  client.send({
    type: "external_result",
    reply_id: asked.reply_id,
    execution_results: asked.tool_calls.map(({ id }) => ({ id, output: "on shelf 7" })),
  } as never);
  const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";
  await client.until(() => client.events.filter(isEnd).length === 2);

  const [, , spoken] = await readMessages(desk);
  expect(spoken).toMatchObject({
    content: [{ text: "/say Second." }],
    usage: { input_tokens: 14, output_tokens: 5, audio: { input_tokens: 10 } },
  });
  const { body: keys } = await request<{ data: { id: string }[] }>("GET", "/v1/api-keys", {
    key: desk.key,
  });
  const told = client.events.flatMap((event) =>
    event.type === "CUSTOM" && event.name === "speech_transcribed"
      ? [[event.value, event.metadata]]
      : [],
  );
  expect(told).toEqual([
    [
      { message_id: spoken?.id, text: "/say Second.", usage: TOKENS },
      { spoken_by: { kind: "api_key", id: keys.data[0]?.id } },
    ],
  ]);
  const usage = "/v1/usage?group_by=model&model_name=ears-2";
  for (;;) {
    const { body } = await request<{ data: object[] }>("GET", usage, { key: desk.key });
    if (body.data.length === 0) continue;
    expect(body.data).toMatchObject([
      { replies: 0, input_tokens: 14, output_tokens: 5, audio_input_tokens: 10 },
    ]);
    break;
  }
  await client.close();
});
