// Sessions of Gemini Live through the whole platform: the end of one, its handle, and its key, which is in an address.
import { expect, onTestFinished, test } from "vitest";

import { createAgent, createSession, request } from "../../support/platform-client.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";
import { openVoiceDesk, readConversation, type VoiceDesk } from "../../support/voice/voice-desk.ts";
import { startFakeGemini } from "../../support/voice/providers/gemini-realtime.ts";
import { waitUntil } from "../../support/wait-for.ts";

const KEY = "AIzaKeyOfTheConformanceTests0123";
const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";

async function connect(agent: object = {}) {
  const fake = await startFakeGemini();
  onTestFinished(() => fake.stop());
  const model = { provider: "gemini", name: "gemini-3.8-live", base_url: fake.url };
  const desk = await openVoiceDesk({ mode: "realtime", model }, agent);
  const { body: credential } = await request<{ id: string }>("POST", "/v1/credentials", {
    key: desk.key,
    body: { type: "model", name: "gemini", secret: KEY, allowed_hosts: [new URL(fake.url).host] },
  });
  const voice = {
    mode: "realtime",
    model: { ...model, credential_id: credential.id },
    turns: { type: "manual" },
  };
  const agentId = await createAgent(desk.key, { voice, ...agent });
  const sessionId = await createSession(desk.key, agentId);
  const client = await VoiceClient.connect(sessionId, { key: desk.key });
  const say = (text: string) => {
    client.speak(text);
    client.send({ type: "commit" });
  };
  return { fake, desk: { ...desk, agentId, sessionId }, client, say };
}

async function seenBy({ key, sessionId }: VoiceDesk, replyId: string): Promise<string> {
  const paths = [
    `/v1/sessions/${sessionId}/replies/${replyId}/diagnostics`,
    `/v1/sessions/${sessionId}/messages?limit=100`,
    `/v1/sessions/${sessionId}/events/history?limit=100`,
  ];
  const answers = await Promise.all(paths.map((path) => request("GET", path, { key })));
  return JSON.stringify(answers.map(({ body }) => body));
}

test("a call that waits for a person outlives the session that has made it", async () => {
  const permission = { rules: [{ tool_name: "lookup_order", behavior: "ask" }] };
  const { fake, desk, client, say } = await connect({ permission });
  say('/say I look.\n/call lookup_order {"order_id":"A-1001"}\n/say Found it.');
  const asked = (await client.event(({ type }) => type === "REQUIRE_USER_CONFIRM")) as unknown as {
    readonly reply_id: string;
    readonly tool_calls: readonly { readonly id: string }[];
  };
  fake.connection.goAway("2s");
  await waitUntil(() => fake.connection.client.closed ?? undefined);
  const id = asked.tool_calls[0]?.id ?? "";
  const confirm_results = [{ confirmed: true, tool_call: { id } }];
  client.send({ type: "confirm", reply_id: asked.reply_id, confirm_results });
  await client.event(isEnd);
  await client.until(() => client.heard().length === 2);

  expect(client.heard().map(({ text }) => text)).toEqual(["I look.", "Found it."]);
  expect(client.errors).toEqual([]);
  expect(fake.connections).toHaveLength(2);
  expect(await readConversation(desk)).toHaveLength(2);
  await client.close();
});

test("a session whose connection has ended goes on by its handle", async () => {
  const { fake, desk, client, say } = await connect();
  say("/say One.");
  await client.event(isEnd);
  fake.connection.goAway("50s");
  await waitUntil(() => fake.connection.client.closed ?? undefined);
  say("/say Two.");
  await client.until(() => client.events.filter(isEnd).length === 2);

  expect(fake.connections).toHaveLength(2);
  expect(fake.connection.setup.sessionResumption).toEqual({ handle: "handle_1" });
  expect((await readConversation(desk)).filter((line) => line.startsWith("assistant"))).toEqual([
    "assistant: One.",
    "assistant: Two.",
  ]);
  expect(client.errors).toEqual([]);
  await client.close();
});

test("the key is in the address of the socket, and nowhere else", async () => {
  const { fake, desk, client } = await connect();
  const url = `wss://x.example/live?key=${KEY}`;
  fake.traps.refusal = { status: 403, body: JSON.stringify({ error: { message: `No: ${url}` } }) };
  client.send({ type: "text", text: "/say Hello." });
  const { reply_id } = (await client.event(isEnd)) as unknown as { readonly reply_id: string };
  const seen = await seenBy(desk, reply_id);
  fake.traps.refusal = null;
  client.send({ type: "text", text: "/say Hello." });
  await client.until(() => client.heard().length === 1);

  expect(fake.connection.client.url).toContain(`?key=${KEY}`);
  expect(seen).toContain("No: wss://x.example/live");
  expect(seen + JSON.stringify(client.frames)).not.toContain(KEY);
  await client.close();
});
