// A cascade by endpoints of others: whatever they do, the conversation is whole, and their words are not the client's.
import { expect, onTestFinished, test } from "vitest";

import { createAgent, createSession, request } from "../../support/platform-client.ts";
import { speaks, startFakeAudio, transcribes } from "../../support/voice/fake-audio.ts";
import { openVoiceDesk, readConversation } from "../../support/voice/voice-desk.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";

async function connect(turns: Parameters<typeof startFakeAudio>[0] = {}) {
  const fake = await startFakeAudio(turns);
  onTestFinished(() => fake.stop());
  const model = { provider: "openai", name: "model-1", base_url: fake.baseUrl };
  const desk = await openVoiceDesk({ mode: "cascade", transcription: model, speech: model });
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  const say = (text: string) => {
    client.speak(`/say ${text}`);
    client.send({ type: "commit" });
  };
  return { fake, desk, client, say };
}

test("a turn is written down and answered aloud by endpoints of others", async () => {
  const { fake, desk, client, say } = await connect();
  say("Good day. How are you?");
  await client.event(isEnd);
  await client.until(() => client.frames.some(({ type }) => type === "audio_end"));

  expect(client.heard().map(({ text }) => text)).toEqual(["Good day. How are you?"]);
  expect(fake.asked.map(({ body }) => body["input"])).toEqual(["Good day.", "How are you?"]);
  expect(await readConversation(desk)).toEqual([
    "user: /say Good day. How are you?",
    "assistant: Good day. How are you?",
  ]);
  await client.close();
});

test("an answer that cannot be said is there as text, and the next one is said", async () => {
  const { desk, client, say } = await connect({
    speech: [(body) => body.refuse(500, { error: { message: "Rack 7 is on fire" } }), speaks],
  });
  say("One.");
  await client.until(() => client.errors.length > 0 && client.events.some(isEnd));
  say("Two.");
  await client.until(() => client.frames.some(({ type }) => type === "audio_end"));

  expect(client.errors.map(({ code }) => code)).toEqual(["voice_failed"]);
  expect(JSON.stringify(client.frames)).not.toContain("Rack 7");
  expect(client.heard().map(({ text }) => text)).toEqual(["Two."]);
  expect(await readConversation(desk)).toEqual([
    "user: /say One.",
    "assistant: One.",
    "user: /say Two.",
    "assistant: Two.",
  ]);
  await client.close();
});

test("a turn that cannot be written down has no reply, and the next one has", async () => {
  const { desk, client, say } = await connect({
    transcription: [(body) => body.refuse(429, { error: { message: "Slow down" } }), transcribes],
  });
  say("One.");
  await client.until(() => client.errors.length > 0);
  say("Two.");
  await client.event(isEnd);

  expect(client.errors.map(({ code }) => code)).toEqual(["speech_not_transcribed"]);
  expect(await readConversation(desk)).toEqual(["user: ", "user: /say Two.", "assistant: Two."]);
  await client.close();
});

test("a secret is sent to the hosts of its credential, and no agent may send it to others", async () => {
  const fake = await startFakeAudio();
  onTestFinished(() => fake.stop());
  const { key } = await openVoiceDesk();
  const { host } = new URL(fake.baseUrl);
  const createCredential = async (allowed: string) => {
    const body = { type: "model", name: allowed, secret: "sk-voice", allowed_hosts: [allowed] };
    const made = await request<{ id: string }>("POST", "/v1/credentials", { key, body });
    return made.body.id;
  };
  const voiceWith = (credential_id: string) => ({
    mode: "cascade",
    transcription: { provider: "scripted" },
    speech: { provider: "openai", name: "model-1", base_url: fake.baseUrl, credential_id },
    turns: { type: "manual" },
  });
  const [own, foreign] = [await createCredential(host), await createCredential("example.com")];

  const agentId = await createAgent(key, { voice: voiceWith(own) });
  const client = await VoiceClient.connect(await createSession(key, agentId), { key });
  client.send({ type: "text", text: "/say Hello." });
  await client.until(() => client.frames.some(({ type }) => type === "audio_end"));
  await client.close();
  const refused = await request("POST", "/v1/agents", {
    key,
    body: { name: "speaker", model: { provider: "scripted" }, voice: voiceWith(foreign) },
  });

  expect(client.heard().map(({ text }) => text)).toEqual(["Hello."]);
  expect(fake.asked.map(({ authorization }) => authorization)).toEqual(["Bearer sk-voice"]);
  expect(JSON.stringify(refused.body)).toContain(`may not be sent to ${host}`);
  expect(refused.status).toBe(400);
});
