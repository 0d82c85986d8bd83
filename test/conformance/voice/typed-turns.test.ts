// Typed text on a voice connection whose realtime model takes none: the agent's own model answers it.
import { expect, onTestFinished, test } from "vitest";

import { request } from "../../support/platform-client.ts";
import { startFakeDashScope } from "../../support/voice/providers/dashscope-realtime.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";
import { openVoiceDesk, readConversation } from "../../support/voice/voice-desk.ts";

const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";

async function connect(voice: object = {}, agent: object = {}) {
  const fake = await startFakeDashScope();
  onTestFinished(() => fake.stop());
  const model = { provider: "dashscope", name: "speaker", base_url: fake.url };
  const desk = await openVoiceDesk({ mode: "realtime", model, ...voice }, agent);
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  return { fake, desk, client };
}

const SPEAKING = { speech: { provider: "scripted" } };

test("typed text is answered by the agent's own model and said, and the provider knows of it", async () => {
  const { fake, desk, client } = await connect(SPEAKING);
  client.send({ type: "text", text: "/say Typed.", id: "msg_mine" });
  await client.until(() => client.frames.some(({ type }) => type === "audio_end"));
  await client.event(isEnd);
  client.speak("/say Spoken.");
  client.send({ type: "commit" });
  await client.until(() => client.heard().length === 2);
  await client.until(() => client.events.filter(isEnd).length === 2);

  expect(client.heard().map(({ text }) => text)).toEqual(["Typed.", "Spoken."]);
  expect(client.errors).toEqual([]);
  expect(fake.brains.at(-1)?.lines()).toEqual([
    "user: /say Typed.",
    "assistant: Typed.",
    "user: /say Spoken.",
    "assistant: Spoken.",
  ]);
  expect(await readConversation(desk)).toEqual(fake.brains.at(-1)?.lines());
  await client.close();
});

test("a typed turn's tools and answers are those of any reply", async () => {
  const permission = { rules: [{ tool_name: "lookup_order", behavior: "ask" }] };
  const { client } = await connect(SPEAKING, { permission });
  client.send({ type: "text", text: '/call lookup_order {"order_id":"A-1001"}\n/say Found it.' });
  const asked = (await client.event(({ type }) => type === "REQUIRE_USER_CONFIRM")) as unknown as {
    readonly reply_id: string;
    readonly tool_calls: readonly { readonly id: string }[];
  };
  const confirm_results = [{ confirmed: true, tool_call: { id: asked.tool_calls[0]?.id ?? "" } }];
  client.send({ type: "confirm", reply_id: asked.reply_id, confirm_results });
  await client.event(isEnd);
  await client.until(() => client.heard().length === 1);

  expect(client.heard().map(({ text }) => text)).toEqual(["Found it."]);
  expect(client.events.filter(({ type }) => type === "TOOL_RESULT_END")).toHaveLength(1);
  expect(client.errors).toEqual([]);
  await client.close();
});

test("without a model that speaks, typed text is refused by name and nothing begins", async () => {
  const { desk, client } = await connect();
  client.send({ type: "text", text: "/say Typed.", id: "mine" });
  await client.until(() => client.errors.length > 0);
  client.speak("/say Spoken.");
  client.send({ type: "commit" });
  await client.event(isEnd);

  expect(client.errors).toMatchObject([{ code: "text_turn_unsupported", ref: "mine" }]);
  expect(await readConversation(desk)).toEqual(["user: /say Spoken.", "assistant: Spoken."]);
  await client.close();
});

test("turns that the provider finds are answered by responses that it begins itself", async () => {
  const { fake, desk, client } = await connect({ turns: { type: "server_vad" } });
  for (const word of ["One", "Two"]) {
    client.silence(100);
    client.speak(`/call lookup_order {"order_id":"A-1001"}\n/say ${word}.`);
    client.silence(1_000);
    await client.until(() => client.heard().some(({ text }) => text === `${word}.`));
  }
  await client.until(() => client.events.filter(isEnd).length === 2);

  const { frames } = await fake.server.client();
  expect(frames.filter(({ type }) => type === "response.create")).toEqual([]);
  expect((await readConversation(desk)).map((line) => line.split(":")[0])).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  expect(client.errors).toEqual([]);
  await client.close();
});

test("credentials of both models are checked with the agent", async () => {
  const { key } = (await connect()).desk;
  const body = { type: "model", name: "other", secret: "sk-1", allowed_hosts: ["example.com"] };
  const made = await request<{ id: string }>("POST", "/v1/credentials", { key, body });
  const credential_id = made.body.id;
  const voice = {
    mode: "realtime",
    model: { provider: "dashscope", name: "speaker", credential_id },
    speech: { provider: "openai", name: "tts", credential_id },
  };
  const refused = await request("POST", "/v1/agents", {
    key,
    body: { name: "speaker", model: { provider: "scripted" }, voice },
  });

  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain("dashscope-intl.aliyuncs.com");
  expect(JSON.stringify(refused.body)).toContain("api.openai.com");
});
