// Instructions of a connection in the dialect of AgentScope's realtime agents, as far as the models that answer.
import { expect, onTestFinished, test } from "vitest";

import { says, startFakeOpenAi } from "../../support/fake-openai.ts";
import { request } from "../../support/platform-client.ts";
import { startFakeOpenAi as startFakeVoice } from "../../support/voice/providers/openai-realtime.ts";
import { RealtimeClient } from "../../support/voice/realtime-client.ts";
import { CASCADE, openVoiceDesk } from "../../support/voice/voice-desk.ts";

const ADDED = "Speak like a pirate.";
const OWN = "You are Friday.";

test("in a cascade they are behind the agent's own, from the next model call on", async () => {
  const fake = await startFakeOpenAi(says("One."), says("Two."), says("Three."));
  onTestFinished(() => fake.stop());
  const model = { provider: "openai", name: "gpt-fake", base_url: fake.baseUrl };
  const { key, sessionId } = await openVoiceDesk(CASCADE, { model, system_prompt: OWN });
  const client = await RealtimeClient.connect(sessionId, { key });
  const config = { instructions: ADDED, model_provider: "openai" };
  client.send("client_text_append", { text: "Hello?" });
  await client.until("agent_response_done");
  client.send("client_session_create", { config });
  client.send("client_text_append", { text: "And now?" });
  await client.until("agent_response_done", 2);
  const path = `/v1/sessions/${sessionId}/replies`;
  await request("POST", path, { key, body: { input: "Over HTTP." } });
  await client.until("agent_response_done", 3);
  await client.close();

  expect(fake.requests.map(systemPromptOf)).toEqual([OWN, `${OWN}\n\n${ADDED}`, OWN]);
  expect(client.of("agent_error")).toEqual([]);
});

function systemPromptOf({ body }: { readonly body: unknown }): string | undefined {
  const { messages } = body as { messages: { role: string; content: string }[] };
  return messages.find(({ role }) => role === "system")?.content;
}

test("a realtime provider is given them with its connection", async () => {
  const fake = await startFakeVoice();
  onTestFinished(() => fake.stop());
  const model = { provider: "openai", name: "gpt-realtime", base_url: fake.url };
  const voice = { mode: "realtime", model };
  const { key, sessionId } = await openVoiceDesk(voice, { system_prompt: OWN });
  const client = await RealtimeClient.connect(sessionId, { key });
  const config = { instructions: ADDED, model_provider: "openai" };
  client.send("client_session_create", { config });
  client.send("client_text_append", { text: "/say Ahoy." });
  await client.until("agent_response_done");
  await client.close();

  const frames = fake.server.clients.flatMap((each) => each.frames);
  expect(JSON.stringify(frames[0])).toContain(JSON.stringify(`${OWN}\n\n${ADDED}`));
  expect(client.heard("agent_response_audio_delta")).toBe("Ahoy.");
});
