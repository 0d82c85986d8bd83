// The sessions of a room's agents in the list of sessions.
import { expect, it } from "vitest";

import type { Room, RoomPage } from "../../../protocol/rooms/contract.ts";
import type { RoomStateExport } from "../../../protocol/rooms/room-state.ts";
import type { SessionPage } from "../../../protocol/sessions/contract.ts";
import { createAgent, createSession, request } from "../../support/platform-client.ts";
import { openRoom, type RoomDesk } from "./room-desk.ts";

async function listed({ key }: Pick<RoomDesk, "key">, query: string) {
  const { status, body } = await request<SessionPage>("GET", `/v1/sessions?${query}`, { key });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.map(({ id }) => id).toSorted();
}

const sessionsOf = ({ participants }: Room) =>
  participants.flatMap(({ session_id }) => session_id ?? []).toSorted();

it("`room_id` finds the sessions of a room's agents, with other filters and with a search", async () => {
  const desk = await openRoom({}, ["ann", "bob", "eve"]);
  const { key, room, path, agent_id } = desk;
  await createSession(key, agent_id);
  const other = { participants: [{ name: "ann", agent_id }] };
  await request("POST", "/v1/rooms", { key, body: other });
  await request("DELETE", `${path}/participants/eve`, { key });
  const { cursor } = await desk.say("A pelican.\n/say Yes.");
  await desk.read(cursor);

  const own = sessionsOf(await desk.now());
  const of = `room_id=${room.id}`;
  const stranger = await openRoom();

  expect([own.length, await listed(desk, of)]).toEqual([3, own]);
  expect(await listed(desk, `${of}&agent_id=${agent_id}&status=idle`)).toEqual(own);
  expect(await listed(desk, `${of}&agent_id=agt_none`)).toEqual([]);
  expect(await listed(desk, `${of}&status=waiting`)).toEqual([]);
  expect(await listed(desk, "room_id=room_none")).toEqual([]);
  expect(await listed(stranger, of)).toEqual([]);
  const found = await listed(desk, `${of}&search=pelican`);
  expect(found.length > 0 && found.every((id) => own.includes(id))).toBe(true);
});

it("the session of a moderator is among them, who is no participant", async () => {
  const { key, agent_id } = await openRoom();
  const chair = await createAgent(key, { tools: [] });
  const body = {
    participants: [{ name: "ann", agent_id }],
    turns: { order: "moderated", moderator: { agent_id: chair } },
  };
  const { body: room } = await request<Room>("POST", "/v1/rooms", { key, body });

  const sessions = await listed({ key }, `room_id=${room.id}`);
  const { body: rooms } = await request<RoomPage>("GET", `/v1/rooms?agent_id=${chair}`, { key });

  expect([sessions.length, sessions.includes(sessionsOf(room)[0]!)]).toEqual([2, true]);
  expect(await listed({ key }, `room_id=${room.id}&agent_id=${chair}`)).toHaveLength(1);
  expect(rooms.data.map(({ participants }) => participants.map(({ name }) => name))).toEqual([
    ["ann"],
  ]);
});

it("after an import they are the new ones, in the list of rooms too", async () => {
  const desk = await openRoom();
  const { key, path, room } = desk;
  const { cursor } = await desk.say("Hello.\n/say Hello.");
  await desk.read(cursor);
  const { body: state } = await request<RoomStateExport>("GET", `${path}/state`, { key });
  const before = sessionsOf(room);
  const headers = { "if-match": `"${(await desk.now()).cursor}"` };
  const put = await request("PUT", `${path}/state?replace=true`, { key, headers, body: state });

  const now = sessionsOf(await desk.now());
  const { body: rooms } = await request<RoomPage>("GET", "/v1/rooms", { key });
  const shown = rooms.data[0]?.participants.flatMap(({ session_id }) => session_id ?? []);

  expect([put.status, now.length, now.some((id) => before.includes(id))]).toEqual([200, 2, false]);
  expect(shown?.toSorted()).toEqual(now);
  expect(await listed(desk, `room_id=${room.id}`)).toEqual(now);
});
