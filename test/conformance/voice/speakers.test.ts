// The speaker of each turn: the log names one, whoever is connected when its text comes, and nobody can make one up.
import { expect, onTestFinished, test } from "vitest";

import { request } from "../../support/platform-client.ts";
import { startFakeAudio, type TranscriptionTurn } from "../../support/voice/fake-audio.ts";
import { openVoiceDesk, readMessages, type VoiceDesk } from "../../support/voice/voice-desk.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

const ASK_SHOP = {
  tools: [{ type: "external", name: "ask_shop", input_schema: { type: "object" } }],
  permission: { rules: [{ tool_name: "ask_shop", behavior: "allow" }] },
};

const answers: TranscriptionTurn = (body) => {
  const usage = { type: "tokens", input_tokens: 14, output_tokens: 5, total_tokens: 19 };
  body.answer(JSON.stringify({ text: "/say Hello you.", usage }), "application/json");
};

/** A desk whose words are written down by `turn`. */
async function openCascade(turn: TranscriptionTurn, model = "ears-1"): Promise<VoiceDesk> {
  const fake = await startFakeAudio({ transcription: [turn] });
  onTestFinished(() => fake.stop());
  const transcription = { provider: "openai", name: model, base_url: fake.baseUrl };
  const speech = { provider: "scripted" };
  return openVoiceDesk({ mode: "cascade", transcription, speech }, ASK_SHOP);
}

async function ownKeyId(key: string): Promise<string | undefined> {
  const path = "/v1/api-keys";
  return (await request<{ data: { id: string }[] }>("GET", path, { key })).body.data[0]?.id;
}

function speakTurn(client: VoiceClient): void {
  client.speak("Good day.");
  client.send({ type: "commit" });
}

test("a turn is of the one who has spoken it, whoever is connected when its text comes", async () => {
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const desk = await openCascade(async (...asked) => {
    await isReleased;
    await answers(...asked);
  });
  const own = { kind: "api_key", id: await ownKeyId(desk.key) };
  const path = `/v1/sessions/${desk.sessionId}/tokens`;
  const { body: token } = await request<{ token: string }>("POST", path, {
    key: desk.key,
    body: { verbs: ["read", "speak"] },
  });
  const first = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  speakTurn(first);
  await first.until(() => first.customs("message_added").length === 1);
  const second = await VoiceClient.connect(desk.sessionId, { key: token.token });
  release();
  const told = await second.event(
    (event) => event.type === "CUSTOM" && event.name === "speech_transcribed",
  );

  expect(told.metadata).toEqual({ spoken_by: own });
  const [said] = await readMessages(desk);
  expect(said?.metadata["speech"]).toMatchObject({ state: "transcribed", spoken_by: own });
  await second.close();
});

test("a turn behind a reply that waits has who has spoken it, and its tokens are counted", async () => {
  const desk = await openCascade(answers, "ears-2");
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  client.send({ type: "text", text: "/call ask_shop {}\n/say So it is." });
  const asked = await client.event(({ type }) => type === "REQUIRE_EXTERNAL_EXECUTION");
  speakTurn(client);
  if (asked.type !== "REQUIRE_EXTERNAL_EXECUTION") throw new Error("no call waits");
  const { reply_id, tool_calls } = asked;
  const [call] = tool_calls;
  const execution_results = [{ id: call?.id ?? "", output: "on shelf 7" }];
  client.send({ type: "external_result", reply_id, execution_results });
  await client.until(() => client.events.filter(({ type }) => type === "REPLY_END").length === 2);

  const [, , said] = await readMessages(desk);
  expect(said?.content).toMatchObject([{ text: "/say Hello you." }]);
  expect(said?.metadata["speech"]).toMatchObject({
    state: "transcribed",
    spoken_by: { kind: "api_key", id: await ownKeyId(desk.key) },
  });
  const path = "/v1/usage?group_by=model&model_name=ears-2";
  await expect
    .poll(async () => (await request<{ data: object[] }>("GET", path, { key: desk.key })).body.data)
    .toMatchObject([{ replies: 0, input_tokens: 14, output_tokens: 5 }]);
  await client.close();
});

test("a client's own message says neither that it was spoken, nor by whom, nor where its audio is", async () => {
  const { key, sessionId } = await openVoiceDesk();
  const url = "https://reprise.example/v1/files/fil_01m8q645pgagdj0419s7gvgdc7/content";
  const metadata = {
    speech: { state: "transcribed", item: "1", ms: 7, spoken_by: { kind: "api_key", id: "key_1" } },
    kept_audio: [{ url, ms: 7 }],
    own: 1,
  };
  await request("POST", `/v1/sessions/${sessionId}/replies`, {
    key,
    body: { input: [{ content: "/say Yes?", metadata }] },
  });

  expect((await readMessages({ key, sessionId }))[0]?.metadata).toEqual({ own: 1 });
});
