// A tenant whose tokens are used up is not heard: nothing is sent to be written down.
import { expect, inject, onTestFinished, test } from "vitest";

import { request } from "../../support/platform-client.ts";
import { speaks, startFakeAudio, transcribes } from "../../support/voice/fake-audio.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";
import { openVoiceDesk } from "../../support/voice/voice-desk.ts";

test("without tokens left no audio is sent, and the client is told so by name", async () => {
  let requests = 0;
  const fake = await startFakeAudio({
    speech: [speaks],
    transcription: [
      (body, heard) => {
        requests += 1;
        return transcribes(body, heard);
      },
    ],
  });
  onTestFinished(() => fake.stop());
  const model = { provider: "openai", name: "ears-3", base_url: fake.baseUrl };
  const desk = await openVoiceDesk({ mode: "cascade", transcription: model, speech: model });
  await request("PATCH", `/v1/tenants/${desk.tenantId}`, {
    key: inject("operatorKey"),
    body: { quotas: { tokens_per_day: 0 } },
  });
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  client.speak("/say Hello.");
  client.send({ type: "commit" });
  await client.until(() => client.errors.some(({ code }) => code === "quota_exceeded"));

  expect(requests).toBe(0);
  expect(client.closed).toBe(null);
  await client.close();
});
