// Agents that hear and speak by a realtime provider, through the whole platform.
import { expect, onTestFinished, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { request } from "../../support/platform-client.ts";
import {
  PROVIDERS,
  voiceOf,
  type RealtimeProvider,
} from "../../support/voice/providers/providers.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";
import { openVoiceDesk, readConversation, readMessages } from "../../support/voice/voice-desk.ts";

const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";

async function connect(provider: RealtimeProvider, agent: object = {}) {
  const fake = await provider.start();
  onTestFinished(() => fake.stop());
  const desk = await openVoiceDesk(voiceOf(provider, fake.url), agent);
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  const say = (text: string) => {
    client.speak(text);
    client.send({ type: "commit" });
  };
  return { fake, desk, client, say };
}

const rows = PROVIDERS.map((provider) => [provider.name, provider] as const);

test.each(rows)(
  "a call that asks is answered by voice over %s, and told of",
  async (_, provider) => {
    const permission = { rules: [{ tool_name: "lookup_order", behavior: "ask" }] };
    const { client, say, desk } = await connect(provider, { permission });
    say('/say I look.\n/call lookup_order {"order_id":"A-1001"}\n/say Found it.');
    const asked = (await client.event(
      ({ type }) => type === "REQUIRE_USER_CONFIRM",
    )) as unknown as {
      readonly reply_id: string;
      readonly tool_calls: readonly { readonly id: string }[];
    };
    const id = asked.tool_calls[0]?.id ?? "";
    const confirm_results = [{ confirmed: true, tool_call: { id } }];
    client.send({ type: "confirm", reply_id: asked.reply_id, confirm_results });
    await client.event(isEnd);
    await client.until(() => client.heard().length === 2);

    expect(client.heard().map(({ text }) => text)).toEqual(["I look.", "Found it."]);
    expect(client.errors).toEqual([]);
    const [, answer] = await readMessages(desk);
    expect(answer?.content.map(({ type }) => type)).toEqual([
      "text",
      "tool_call",
      "tool_result",
      "text",
    ]);
    await client.close();
  },
);

const STATES: readonly [string, (client: VoiceClient) => Promise<unknown>][] = [
  ["the agent talks", (client) => client.until(() => client.frames.some(isAudio))],
  // What nobody has written down is lost with the socket.
  [
    "the reply has begun",
    (client) => Promise.all([untilEvent(client, "REPLY_START"), untilWritten(client)]),
  ],
  ["the turn is written down", untilWritten],
  ["the reply has ended", (client) => untilEvent(client, "REPLY_END")],
];
const cuts = STATES.flatMap(([title, until]) =>
  PROVIDERS.map((provider) => [provider.name, title, until, provider] as const),
);
const CUT_TITLE = "over %s the conversation is whole when its socket is cut as %s";

test.each(cuts.slice(0, PROVIDERS.length))(CUT_TITLE, cutSocket);
test.each(cuts.slice(PROVIDERS.length))(CUT_TITLE, BROAD, cutSocket);

async function cutSocket(
  _name: string,
  title: string,
  until: (client: VoiceClient) => Promise<unknown>,
  provider: RealtimeProvider,
): Promise<void> {
  const { client, say, desk, fake } = await connect(provider);
  const cut = Promise.withResolvers<void>();
  let pieces = 0;
  // The answer stays in the middle until the cut.
  fake.traps.pace = () => {
    pieces += 1;
    return pieces === 3 && title !== "the reply has ended" ? cut.promise : Promise.resolve();
  };
  say("/say One two three four.");
  await until(client);
  (await fake.server.client(0)).destroy();
  cut.resolve();
  await client.event(isEnd);
  say("/say And on.");
  await client.until(() => client.heard().some(({ text }) => text === "And on."));
  await client.until(() => client.events.filter(isEnd).length === 2);

  const seqs = client.events.map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].sort((one, other) => one - other));
  expect((await readConversation(desk)).filter((line) => line.startsWith("assistant"))).toEqual([
    "assistant: One two three four.",
    "assistant: And on.",
  ]);
  await client.close();
}

const typed = rows.filter(([, { takesText }]) => takesText);

test.each(typed)(
  "the words of %s about a failure are in diagnostics alone",
  async (_, provider) => {
    const fake = await provider.start();
    onTestFinished(() => fake.stop());
    const desk = await openVoiceDesk(voiceOf(provider, fake.url));
    fake.traps.refusal = {
      status: 401,
      body: '{"error":{"message":"Rack 7 does not know you","code":"invalid_api_key"}}',
    };
    const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
    client.send({ type: "text", text: "/say Hello." });
    const end = await client.event(isEnd);

    expect(end).toMatchObject({ finished_reason: "error" });
    expect(JSON.stringify(client.frames)).not.toContain("Rack 7");
    const path = `/v1/sessions/${desk.sessionId}/replies/${(end as { reply_id?: string }).reply_id}/diagnostics`;
    const { body } = await request("GET", path, { key: desk.key });
    expect(JSON.stringify(body)).toContain("Rack 7 does not know you");
    await client.close();
  },
);

function isAudio({ type }: { readonly type: string }): boolean {
  return type === "binary";
}

function untilWritten(client: VoiceClient): Promise<unknown> {
  return client.until(() =>
    client.events.some((event) => event.type === "CUSTOM" && event.name === "speech_transcribed"),
  );
}

function untilEvent(client: VoiceClient, name: string): Promise<unknown> {
  return client.until(() => client.events.some(({ type }) => type === name));
}

test("a picture that goes with a question is shown to the provider, once", async () => {
  const [openai] = PROVIDERS;
  if (!openai) throw new Error("no provider");
  const { client, desk, fake } = await connect(openai);
  client.send({ type: "image", media_type: "image/png", data: PICTURE });
  client.send({ type: "text", text: "/say I see it." });
  await client.event(isEnd);
  client.send({ type: "text", text: "/say Still." });
  await client.until(() => client.events.filter(isEnd).length === 2);

  const { frames } = await fake.server.client();
  const parts = frames.flatMap(
    ({ item }) => (item as { content?: object[] } | undefined)?.content ?? [],
  );
  expect(parts.filter((part) => "image_url" in part)).toEqual([
    { type: "input_image", image_url: `data:image/png;base64,${PICTURE}` },
  ]);
  expect(await readConversation(desk)).toHaveLength(4);
  await client.close();
});

test.each(rows)(
  "the check of an agent opens a socket to %s, and says why it could not",
  async (_, provider) => {
    const fake = await provider.start();
    onTestFinished(() => fake.stop());
    const desk = await openVoiceDesk(voiceOf(provider, fake.url));
    const check = async () => {
      const path = `/v1/agents/${desk.agentId}/check`;
      const { body } = await request<{ voice: object[] }>("POST", path, {
        key: desk.key,
        body: {},
      });
      return body.voice;
    };
    const good = await check();
    fake.traps.refusal = { status: 401, body: '{"error":{"message":"Who are you?"}}' };
    const bad = await check();

    expect(good).toMatchObject([{ status: "ok", note: "The model could be connected." }]);
    expect(bad).toMatchObject([{ status: "failed", code: "voice_failed" }]);
    expect(JSON.stringify(bad)).toContain("Who are you?");
  },
);
