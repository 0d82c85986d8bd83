// The client of a voice connection is sent so much audio, up to the end of an item.
import { expect, it } from "vitest";

import { VoiceClient } from "../../../durable-objects/voice/voice-client.ts";
import { MAX_VOICE_AUDIO_BYTES } from "../../../protocol/voice/limits.ts";

it("is spent behind the item that is one too many", () => {
  const socket = { send: () => undefined } as unknown as WebSocket;
  const rate = 24_000;
  const started = { input_rate: rate, output_rate: rate, audio: "binary" };
  const attachment = { started } as ConstructorParameters<typeof VoiceClient>[1];
  const client = new VoiceClient(socket, attachment, { input: rate, output: rate });
  const half = new Uint8Array(MAX_VOICE_AUDIO_BYTES / 2);
  client.sendAudio(1, 0, half);
  client.endAudio(1);
  const first = client.isSpent;
  client.sendAudio(2, 0, half);
  const within = client.isSpent;
  client.endAudio(2);

  expect([first, within, client.isSpent]).toEqual([false, false, true]);
});

it("is spent by audio of items that were cut off as well", () => {
  const socket = { send: () => undefined } as unknown as WebSocket;
  const rate = 24_000;
  const started = { input_rate: rate, output_rate: rate, audio: "binary" };
  const attachment = { started } as ConstructorParameters<typeof VoiceClient>[1];
  const client = new VoiceClient(socket, attachment, { input: rate, output: rate });
  const half = new Uint8Array(MAX_VOICE_AUDIO_BYTES / 2);
  client.sendAudio(1, 0, half);
  client.dropAudio(1);
  const first = client.isSpent;
  client.sendAudio(2, 0, half);
  client.dropAudio(2);

  expect([first, client.isSpent]).toEqual([false, true]);
});
