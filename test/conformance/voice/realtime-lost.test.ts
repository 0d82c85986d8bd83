// Providers that go in mid-sentence, as a client of AgentScope's realtime agents is told of it.
import { expect, onTestFinished, test } from "vitest";

import { sampled } from "../../support/breadth.ts";
import {
  PROVIDERS,
  voiceOf,
  type RealtimeProvider,
} from "../../support/voice/providers/providers.ts";
import { RealtimeClient } from "../../support/voice/realtime-client.ts";
import { openVoiceDesk, readConversation } from "../../support/voice/voice-desk.ts";

for (const [providers, options] of sampled(PROVIDERS, 1, "each")) {
  test.each(providers)(
    "over $name the answer is said anew, and each event has its end",
    options,
    cut,
  );
}

async function cut(provider: RealtimeProvider): Promise<void> {
  const fake = await provider.start();
  onTestFinished(() => fake.stop());
  const desk = await openVoiceDesk(voiceOf(provider, fake.url));
  const client = await RealtimeClient.connect(desk.sessionId, { key: desk.key });
  const gone = Promise.withResolvers<void>();
  let pieces = 0;
  // The answer stays in the middle until the cut.
  fake.traps.pace = () => {
    pieces += 1;
    return pieces === 3 ? gone.promise : Promise.resolve();
  };
  client.speak("/say One two three four.");
  client.send("client_audio_commit");
  await client.until("agent_response_audio_delta");
  (await fake.server.client(0)).destroy();
  gone.resolve();
  const isDone = () =>
    client.of("agent_response_done").some(({ metadata }) => Object.keys(metadata).length === 0);
  for (let count = 1; !isDone() && !client.closed; count += 1) {
    await client.until("agent_response_done", count);
  }

  const conversation = await readConversation(desk);
  expect(conversation.at(-1)).toBe("assistant: One two three four.");
  const items = (type: "agent_response_audio_delta" | "agent_response_audio_done") =>
    new Set(client.of(type).map(({ item_id }) => item_id));
  expect(items("agent_response_audio_done")).toEqual(items("agent_response_audio_delta"));
  expect(client.of("agent_response_done").at(-1)?.metadata).toEqual({});
  const last = client.of("agent_response_audio_transcript_delta").at(-1)?.item_id;
  const said = client
    .of("agent_response_audio_transcript_delta")
    .filter(({ item_id }) => item_id === last);
  expect(said.map(({ delta }) => delta).join("")).toBe("One two three four.");
  await client.close();
}
