/** @module-tag broad */
// kill -9 of the platform in each state of a discussion that is said aloud: nothing is missing and nothing doubled.
import { expect, test } from "vitest";

import { getTextContent } from "../../../protocol/messages/accessors.ts";
import type { RoomMessagePage } from "../../../protocol/rooms/conversation.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { connectPerson, lines, ownFrames, untilReady } from "../../support/voice/room-voice.ts";
import type { VoiceClient } from "../../support/voice/voice-client.ts";
import { CASCADE, REALTIME } from "../../support/voice/voice-desk.ts";

const platform = mortalPlatform();

async function openRoom(voice: object) {
  const key = await platform.createTenant();
  const ask = async <Body>(method: string, path: string, body?: object) => {
    const { base_url } = await platform.running();
    const response = await fetch(base_url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Body;
  };
  const { id: agent_id } = await ask<{ id: string }>("POST", "/v1/agents", {
    name: "Talker",
    model: { provider: "scripted", name: "plain", parameters: { tokens_per_second: 20 } },
    voice,
  });
  const { id } = await ask<{ id: string }>("POST", "/v1/rooms", {
    participants: [
      { name: "ann", agent_id },
      { name: "bob", agent_id },
      { name: "Mia", kind: "person" },
    ],
    voice: { transcription: { provider: "scripted" }, turns: { type: "manual" } },
  });
  return { path: `/v1/rooms/${id}`, key, ask };
}

const STATES: readonly [string, (client: VoiceClient) => Promise<void>][] = [
  ["the person's words are in the log", (client) => untilCustom(client, "message_added")],
  ["the first turn has begun", (client) => untilCustom(client, "room_turn_started")],
  ["the first agent talks", (client) => client.until(() => itemsOf(client) === 1)],
  ["the second agent talks", (client) => client.until(() => itemsOf(client) === 2)],
];
const SLOW = { provider: "scripted", parameters: { tokens_per_second: 20 } } as const;
const MODES = [
  ["realtime", { ...REALTIME, model: SLOW }],
  ["cascade", CASCADE],
] as const;

test.each(
  MODES.flatMap(([mode, voice]) => STATES.map((state) => [mode, ...state, voice] as const)),
)(
  "in mode %s the room is whole when the machine is lost as %s",
  async (_mode, _title, until, voice) => {
    const { path, key, ask } = await openRoom(voice);
    const { base_url: first } = await platform.running();
    const mia = await connectPerson(path, undefined, { key, baseUrl: first });
    await untilReady(mia);
    mia.speak(lines("One two three.", "Four five six."));
    mia.send({ type: "commit" });
    await until(mia);
    await platform.kill();
    await mia.untilClosed();

    const { base_url: baseUrl } = await platform.running();
    const after = mia.events.at(-1)?.seq ?? 0;
    const back = await connectPerson(path, undefined, { key, baseUrl, start: { after } });
    const ended = () =>
      [mia, back].flatMap((client) => client.customs("room_discussion_ended")).length;
    await back.until(() => ended() >= 1);
    const before = itemsOf(back);
    back.send({ type: "text", text: lines("And on.", "And on.") });
    await back.until(() => ended() >= 2 && itemsOf(back) >= before + 2);

    const seqs = [...mia.events, ...back.events].map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
    const { data } = await ask<RoomMessagePage>("GET", `${path}/messages?limit=100`);
    expect(
      data.map((message) => `${message.name}: ${getTextContent(message)?.split("\n")[0]}`),
    ).toEqual([
      "Mia: Go.",
      "ann: One two three.",
      "bob: Four five six.",
      "Mia: Go.",
      "ann: And on.",
      "bob: And on.",
    ]);
    await back.close();
  },
);

function itemsOf(client: VoiceClient): number {
  return ownFrames(client).filter(({ type }) => type === "item").length;
}

function untilCustom(client: VoiceClient, name: string): Promise<void> {
  return client.until(() => client.customs(name).length > 0);
}
