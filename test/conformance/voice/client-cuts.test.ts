/** @module-tag broad */
// The client's socket is cut in each state of a spoken turn: the conversation has no gap and no double, and no tool runs twice.
import { expect, onTestFinished, test } from "vitest";

import { startEffectServer } from "../../support/effect-server.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";
import {
  CASCADE,
  openVoiceDesk,
  readConversation,
  REALTIME,
  readMessages,
} from "../../support/voice/voice-desk.ts";

const TURN = "/rate 20\n/say One moment.\n/call pay {}\n/say Two three four.";

const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";
const until = (client: VoiceClient, name: string) =>
  client.event(({ type }) => type === name).then(() => undefined);

const STATES: readonly [string, (client: VoiceClient) => Promise<void>][] = [
  ["the message has its place", (client) => client.until(() => hasMessage(client))],
  ["the turn is written down", (client) => client.until(() => isWritten(client))],
  ["the reply has begun", (client) => until(client, "REPLY_START")],
  ["the agent talks", (client) => client.until(() => client.frames.some(isAudio))],
  ["a tool works", (client) => until(client, "TOOL_CALL_END")],
  ["the reply has ended", (client) => until(client, "REPLY_END")],
];
const MODES = [REALTIME, CASCADE];

test.each(MODES.flatMap((voice) => STATES.map((state) => [voice.mode, ...state, voice] as const)))(
  "in mode %s nothing is lost or done twice where the client's socket is cut as %s",
  async (_mode, _title, reached, voice) => {
    const tools = await startEffectServer();
    onTestFinished(() => tools.stop());
    const pay = { type: "http", name: "pay", input_schema: { type: "object" } };
    const desk = await openVoiceDesk(voice, {
      tools: [{ ...pay, url: `${tools.url}/pay` }],
      permission: { rules: [{ tool_name: "pay", behavior: "allow" }] },
    });
    const first = await VoiceClient.connect(desk.sessionId, { key: desk.key });
    first.speak(TURN);
    first.send({ type: "commit" });
    await reached(first);
    await first.close();

    const after = first.events.at(-1)?.seq ?? 0;
    const second = await VoiceClient.connect(desk.sessionId, { key: desk.key, start: { after } });
    if (!first.events.some(isEnd)) await second.event(isEnd);
    const seqs = [...first.events, ...second.events].map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].sort((one, other) => one - other));
    expect(tools.effects(desk.sessionId)).toHaveLength(1);
    expect(await readConversation(desk)).toEqual([
      `user: ${TURN}`,
      expect.stringMatching(/^assistant: One moment\.\|<tool_call>\|<tool_result>\|Two/),
    ]);
    second.speak("/say And on.");
    second.send({ type: "commit" });
    await second.until(() => second.heard().some(({ text }) => text === "And on."));
    expect((await readMessages(desk)).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    await second.close();
  },
);

function hasMessage(client: VoiceClient): boolean {
  return client.customs("message_added").length > 0;
}

function isWritten(client: VoiceClient): boolean {
  return client.customs("speech_transcribed").length > 0;
}

function isAudio(frame: { readonly type: string }): boolean {
  return frame.type === "binary";
}
