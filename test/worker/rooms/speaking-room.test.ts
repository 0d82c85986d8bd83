// A room that speaks when objects sleep or are lost: the discussion is in the log, and audio begins anew with the next item.
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { roomObjectName } from "../../../durable-objects/api/room-api.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Room } from "../../../protocol/rooms/contract.ts";
import type { RoomMessagePage } from "../../../protocol/rooms/conversation.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { openRoom } from "../../tenancy/open-room.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask } from "../support/api.ts";
import { VoiceSocket } from "../support/voice-socket.ts";

const VOICE = { mode: "realtime", model: { provider: "scripted" } } as const;

async function openSpeaking(voice: object = {}, agent: object = {}) {
  const heard = { transcription: { provider: "scripted" }, turns: { type: "manual" }, ...voice };
  const model = { provider: "scripted", name: "plain" };
  const opened = await openRoom(
    { voice: heard },
    { name: "Talker", model, voice: VOICE, ...agent },
  );
  const { tenant_id, room, path, call } = opened;
  const object = () => env.ROOM.getByName(roomObjectName(tenant_id, room.id));
  const sessionId = room.participants[0]?.session_id ?? "";
  const session = () => env.SESSION.getByName(sessionObjectName(tenant_id, sessionId));
  const said = async () => {
    const { json } = await ask<RoomMessagePage>("GET", `${path}/messages`, call);
    return json.data.map((message) => `${message.name}: ${getTextContent(message) ?? ""}`);
  };
  return { ...opened, object, session, said };
}

/** Audio of a tenth of a second. */
const SILENCE = btoa("\0".repeat(3_200));

function say(socket: VoiceSocket, text: string): void {
  socket.send({ type: "text", text: `Go.\n/say ${text}` });
}

function typesOf({ frames }: VoiceSocket): readonly string[] {
  return frames.flatMap(({ type }: { readonly type: string }) => (type === "event" ? [] : type));
}

test("a room that has slept is spoken with as before, without a gap or a double", async () => {
  const { path, call, object, said } = await openSpeaking({ idle_seconds: 1 });
  const socket = await VoiceSocket.open(path, call, { after: 0 });
  for (const count of [1, 2]) {
    say(socket, `Number ${count}.`);
    await socket.until(() => socket.heard.length === count && socket.ends() === count);
    await evictDurableObject(object());
  }

  expect(socket.heard).toEqual(["Number 1.", "Number 2."]);
  expect(await said()).toEqual([
    "Mia: Go.\n/say Number 1.",
    "ann: Number 1.",
    "Mia: Go.\n/say Number 2.",
    "ann: Number 2.",
  ]);
  expect(socket.seqs).toEqual(socket.seqs.map((_, index) => index + 1));
  socket.leave();
});

test("an agent whose session was lost is heard again with its next turn", async () => {
  const { path, call, session } = await openSpeaking();
  const socket = await VoiceSocket.open(path, call);
  await socket.until(() => typesOf(socket).includes("agent_ready"));
  await evictDurableObject(session());
  say(socket, "I am back.");
  await socket.until(() => socket.heard.length === 1);

  expect(socket.heard).toEqual(["I am back."]);
  socket.leave();
});

test("a person's connection is closed by the room's alarm when its time is over", async () => {
  const { path, call, object } = await openSpeaking({ max_seconds: 60 });
  const socket = await VoiceSocket.open(path, call);
  advanceClock(61_000);
  await runDurableObjectAlarm(object());

  expect(await socket.closed).toEqual([4408, "connection_expired"]);
});

test("a person who is erased is heard no more, and what was said is gone", async () => {
  const { path, call, object, said } = await openSpeaking();
  const socket = await VoiceSocket.open(path, call);
  say(socket, "I heard you.");
  await socket.until(() => socket.ends() === 1);
  await (object() as unknown as { eraseEndUser(id: string): Promise<unknown> }).eraseEndUser("mia");
  const { json: room } = await ask<Room>("GET", path, call);

  expect(await socket.closed).toEqual([4404, "not_found"]);
  expect(JSON.stringify(await said())).not.toContain("Go.");
  expect(room.participants.map(({ name, left_at }) => [name, left_at === null])).toEqual([
    ["ann", true],
    ["Mia", false],
  ]);
});

test("a person whose token has expired holds the floor no more", async () => {
  const { path, call, object } = await openSpeaking();
  const tom = { name: "Tom", kind: "person" };
  await ask("POST", `${path}/participants`, { ...call, json: { participant: tom } });
  const json = { participant: "Mia", verbs: ["read", "speak"], ttl_seconds: 60 };
  const asked = { ...call, json };
  const { json: minted } = await ask<{ token: string }>("POST", `${path}/tokens`, asked);
  const mia = await VoiceSocket.open(path, { key: minted.token });
  mia.send({ type: "audio", audio: SILENCE });
  const other = await VoiceSocket.open(path, call, {}, "?participant=Tom");
  other.send({ type: "audio", audio: SILENCE });
  await other.until(() => typesOf(other).includes("floor_taken"));
  advanceClock(61_000);
  await runDurableObjectAlarm(object());
  other.send({ type: "audio", audio: SILENCE });
  other.send({ type: "commit", id: "mine" });
  await other.until(() => JSON.stringify(other.frames).includes("message_added"));

  expect(typesOf(other)).not.toContain("error");
  other.leave();
});

test("a turn that waits goes on aloud when it is answered, though its session was lost", async () => {
  const input_schema = { type: "object", properties: {} };
  const tools = [{ type: "external", name: "ask_shop", input_schema }];
  const permission = { rules: [{ tool_name: "ask_shop", behavior: "allow" }] };
  // While its provider is there, a session stays, and is evicted by nobody.
  const voice = { ...VOICE, idle_seconds: 1 };
  const { path, call, session } = await openSpeaking({}, { tools, permission, voice });
  const socket = await VoiceSocket.open(path, call);
  socket.send({ type: "text", text: "Go.\n/call ask_shop {}\n/say So it is." });
  const asked = () =>
    socket.frames
      .flatMap((frame) => (frame.type === "event" ? [frame.event] : []))
      .find((event) => event.type === "REQUIRE_EXTERNAL_EXECUTION");
  await socket.until(() => asked() !== undefined);
  await evictDurableObject(session());
  const { reply_id = "", tool_calls: [{ id } = { id: "" }] = [] } = asked() ?? {};
  const execution_results = [{ id, output: "on shelf 7" }];
  socket.send({ type: "external_result", reply_id, execution_results });
  await socket.until(() => socket.ends() === 1 && socket.heard.length === 1);

  expect(socket.heard).toEqual(["So it is."]);
  socket.leave();
});
