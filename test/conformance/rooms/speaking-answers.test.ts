// Calls that ask in a room that speaks: they wait while people talk, and are answered on the connection.
import { expect, test } from "vitest";

import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import {
  connectPerson,
  heardSpeakers,
  untilEnded,
  untilReady,
} from "../../support/voice/room-voice.ts";
import { REALTIME } from "../../support/voice/voice-desk.ts";

interface Asked {
  readonly reply_id: string;
  readonly tool_calls: readonly { readonly id: string }[];
}

async function openAskingRoom() {
  const { key } = await createTenant();
  const permission = { rules: [{ tool_name: "lookup_order", behavior: "ask" }] };
  const agent_id = await createAgent(key, { voice: REALTIME, permission });
  const body = {
    participants: [
      { name: "ann", agent_id },
      { name: "Mia", kind: "person" },
    ],
    voice: { transcription: { provider: "scripted" }, turns: { type: "manual" } },
  };
  const { body: room } = await request<{ id: string }>("POST", "/v1/rooms", { key, body });
  return { key, path: `/v1/rooms/${room.id}` };
}

test("a reply that waits is not ended by what a person says, and its end is said aloud", async () => {
  const { key, path } = await openAskingRoom();
  const mia = await connectPerson(path, undefined, { key });
  await untilReady(mia, 1);
  const script = '/say I look.\n/call lookup_order {"order_id":"A-1001"}\n/say Found it.';
  mia.send({ type: "text", text: `Go.\n${script}` });
  const asked = (await mia.event(
    ({ type }) => type === "REQUIRE_USER_CONFIRM",
  )) as unknown as Asked;
  mia.speak("Go.\n/say I hear you.");
  mia.send({ type: "commit" });
  await mia.until(() => mia.customs("message_added").length === 2);
  const confirm_results = [{ confirmed: true, tool_call: { id: asked.tool_calls[0]?.id ?? "" } }];
  mia.send({ type: "confirm", reply_id: asked.reply_id, confirm_results });
  await untilEnded(mia, 2);
  await mia.until(() => heardSpeakers(mia).includes("ann: I hear you."));

  expect(mia.errors).toEqual([]);
  expect(heardSpeakers(mia)).toEqual(["ann: I look.", "ann: Found it.", "ann: I hear you."]);
  const ends = mia.events.filter(({ type }) => type === "REPLY_END");
  expect(ends.map((end) => "finished_reason" in end && end.finished_reason)).toEqual([
    "completed",
    "completed",
  ]);
});

test("a token without the right to confirm is told so, and the call waits on", async () => {
  const { key, path } = await openAskingRoom();
  const body = { participant: "Mia", verbs: ["read", "speak"] };
  const minted = await request<{ token: string }>("POST", `${path}/tokens`, { key, body });
  const mia = await connectPerson(path, undefined, { key: minted.body.token });
  mia.send({ type: "text", text: 'Go.\n/call lookup_order {"order_id":"A-1001"}' });
  const asked = (await mia.event(
    ({ type }) => type === "REQUIRE_USER_CONFIRM",
  )) as unknown as Asked;
  const confirm_results = [{ confirmed: true, tool_call: { id: asked.tool_calls[0]?.id ?? "" } }];
  mia.send({ type: "confirm", id: "mine", reply_id: asked.reply_id, confirm_results });
  await mia.until(() => mia.errors.length > 0);

  expect(mia.errors).toMatchObject([{ code: "verb_missing", ref: "mine" }]);
  const { body: room } = await request<{ pending: object[] }>("GET", path, { key });
  expect(room.pending).toHaveLength(1);
});
