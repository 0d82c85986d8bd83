// An end user of a room at the door: exported with their own words, and redacted with the removal, whom others talk on without.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import type { EndUserExportLine } from "../../../protocol/end-users/contract.ts";
import type { Room } from "../../../protocol/rooms/contract.ts";
import type { RoomMessagePage } from "../../../protocol/rooms/conversation.ts";
import { redactInRooms } from "../../../worker/rooms/erase-rooms.ts";
import { ask, makeAgent, makeTenant } from "../support/api.ts";
import { waitUntil } from "../../support/wait-for.ts";

async function talk() {
  const { id: tenant_id, call } = await makeTenant();
  const { id: agent_id } = await makeAgent(call, { name: "Desk" });
  const participants = [
    { name: "ann", agent_id },
    { name: "Ada", kind: "person", end_user_id: "ada" },
    { name: "Bob", kind: "person", end_user_id: "bob" },
  ];
  const made = { ...call, json: { participants, turns: { order: "mentioned" } } };
  const { json: room } = await ask<Room>("POST", "/v1/rooms", made);
  const path = `/v1/rooms/${room.id}`;
  for (const [participant, content] of [
    ["Ada", "Mine is a secret of Ada."],
    ["Bob", "Mine is a word of Bob."],
  ]) {
    await ask("POST", `${path}/messages`, { ...call, json: { participant, content } });
  }
  const read = async () => (await ask<Room>("GET", path, call)).json;
  await waitUntil(async () => ((await read()).status === "idle" ? true : undefined));
  return { tenant_id, call, room, path, read };
}

test("an export has the room, and of what was said there the end user's own", async () => {
  const { call, room } = await talk();

  const { text } = await ask("GET", "/v1/end-users/ada/export", call);

  const lines = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as EndUserExportLine);
  expect(lines.map(({ type }) => type)).toEqual(["room", "room_message", "end"]);
  expect(lines[0]).toMatchObject({ type: "room", room: { id: room.id } });
  expect(text).toContain("a secret of Ada");
  expect(text).not.toContain("a word of Bob");
});

test("a removal redacts their words in the room and in every session, and leaves those of others", async () => {
  const { tenant_id, call, room, path, read } = await talk();
  const session = `/v1/sessions/${room.participants[0]?.session_id ?? ""}`;
  const texts = async () => {
    const { json: page } = await ask<RoomMessagePage>("GET", `${path}/messages`, call);
    const { text: events } = await ask("GET", `${path}/events?limit=100`, call);
    const { text: inside } = await ask("GET", `${session}/messages`, call);
    return {
      names: page.data.map(({ name }) => name),
      all: JSON.stringify(page) + events + inside,
    };
  };
  const before = await texts();

  const place = { tenant_id, end_user_id: "ada" };
  const hasMore = await redactInRooms(env, place, new Date().toISOString());

  const after = await texts();
  expect(before.all).toContain("a secret of Ada");
  expect([hasMore, after.names]).toEqual([false, ["Ada", "Bob"]]);
  expect(after.all).not.toContain("a secret of Ada");
  expect(after.all).toContain("a word of Bob");
  expect((await read()).participants.map(({ name }) => name)).toEqual(["ann", "Ada", "Bob"]);
  const { json } = await ask<{ data: unknown[] }>("GET", "/v1/rooms?end_user_id=ada", call);
  expect(json.data).toEqual([]);
});
