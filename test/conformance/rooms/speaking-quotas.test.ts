// A tenant whose tokens are used up is not heard in a room either.
import { expect, inject, onTestFinished, test } from "vitest";

import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { startFakeAudio } from "../../support/voice/fake-audio.ts";
import { connectPerson } from "../../support/voice/room-voice.ts";
import { CASCADE } from "../../support/voice/voice-desk.ts";

test("without tokens left nothing is written down, and the person is told so by name", async () => {
  const fake = await startFakeAudio();
  onTestFinished(() => fake.stop());
  const { id, key } = await createTenant();
  const agent_id = await createAgent(key, { tools: [], voice: CASCADE });
  const transcription = { provider: "openai", name: "ears-3", base_url: fake.baseUrl };
  const body = {
    participants: [
      { name: "ann", agent_id },
      { name: "Mia", kind: "person" },
    ],
    voice: { transcription, turns: { type: "manual" } },
  };
  const { body: room } = await request<{ id: string }>("POST", "/v1/rooms", { key, body });
  const quotas = { tokens_per_day: 0 };
  await request("PATCH", `/v1/tenants/${id}`, { key: inject("operatorKey"), body: { quotas } });
  const mia = await connectPerson(`/v1/rooms/${room.id}`, undefined, { key });
  mia.speak("Hello.");
  mia.send({ type: "commit" });
  await mia.until(() => mia.errors.length > 0);

  expect(mia.errors.map(({ code }) => code)).toEqual(["quota_exceeded"]);
  expect(fake.heard).toEqual([]);
  expect(mia.closed).toBeNull();
  await mia.close();
});
