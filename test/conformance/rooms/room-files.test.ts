// Pictures and other data that is too large for a log, said in a room.
import { expect, it } from "vitest";

import type { StoredFile } from "../../../protocol/files/contract.ts";
import { MAX_INLINE_MEDIA_CHARACTERS } from "../../../protocol/files/limits.ts";
import type { Room } from "../../../protocol/rooms/contract.ts";
import type { RoomMessageReceipt } from "../../../protocol/rooms/conversation.ts";
import type { RoomStateExport } from "../../../protocol/rooms/room-state.ts";
import type { RoomToken } from "../../../protocol/rooms/room-tokens.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { openRoom, type RoomDesk } from "./room-desk.ts";

/** A text of more bytes than stay in a log. */
function large(letter: string) {
  const data = Buffer.from(letter.repeat(MAX_INLINE_MEDIA_CHARACTERS)).toString("base64");
  return { type: "data", source: { type: "base64", media_type: "text/plain", data } };
}

const saying = (letter: string) => [{ type: "text", text: "Look.\n/say I see." }, large(letter)];

const sessionsOf = ({ participants }: Room) =>
  participants.flatMap(({ session_id }) => session_id ?? []);

/** Ids of the files that each agent's session refers to. */
async function filesOf({ key, now }: RoomDesk): Promise<readonly (readonly string[])[]> {
  const found = [];
  for (const id of sessionsOf(await now())) {
    const path = `/v1/files?session_id=${id}`;
    const { body } = await request<{ data: readonly StoredFile[] }>("GET", path, { key });
    found.push(body.data.map((file) => file.id));
  }
  return found;
}

function namedIn({ message }: RoomMessageReceipt): string {
  const [, block] = message.content;
  if (block?.type !== "data" || block.source.type !== "url") throw new Error("no file is named");
  return /\/v1\/files\/(\w+)\/content$/.exec(block.source.url)?.[1] ?? "";
}

it("large data becomes one file, which every agent's session that is told of it may read", async () => {
  const desk = await openRoom();
  const { key, path, agent_id } = desk;
  const said = { key, body: { id: "m1", content: saying("a") } };
  const { body: receipt } = await request<RoomMessageReceipt>("POST", `${path}/messages`, said);
  await desk.read(receipt.cursor);
  const again = await request<RoomMessageReceipt>("POST", `${path}/messages`, said);
  const joining = { key, body: { participant: { name: "eve", agent_id } } };
  await request("POST", `${path}/participants`, joining);
  const { cursor } = await desk.say("Go on.\n/say Yes.");
  await desk.read(cursor);

  const id = namedIn(receipt);
  const content = await request("HEAD", `/v1/files/${id}/content`, { key });

  expect([again.status, again.body.added]).toEqual([202, false]);
  expect(content.headers.get("content-length")).toBe(String(MAX_INLINE_MEDIA_CHARACTERS));
  // The newcomer is told what was said before.
  expect(await filesOf(desk)).toEqual([[id], [id], [id]]);
});

it("a person with a client token says it, too, and a turn that is awaited takes it", async () => {
  const { key } = await createTenant();
  const agent_id = await createAgent(key, { tools: [] });
  const participants = [
    { name: "Mia", kind: "person", awaited: true },
    { name: "ann", agent_id },
  ];
  const { body: room } = await request<Room>("POST", "/v1/rooms", { key, body: { participants } });
  const path = `/v1/rooms/${room.id}`;
  const minted = { key, body: { participant: "Mia" } };
  const { body: token } = await request<RoomToken>("POST", `${path}/tokens`, minted);
  const post = (what: string, content: object) =>
    request<RoomMessageReceipt>("POST", `${path}/${what}`, { key: token.token, body: { content } });

  const message = await post("messages", saying("b"));
  await waitUntil(async () => {
    const { body } = await request<Room>("GET", path, { key });
    return body.input_requests[0];
  });
  const turn = await post("input", saying("c"));

  expect([message.status, turn.status]).toEqual([202, 202]);
  expect(namedIn(message.body)).not.toBe(namedIn(turn.body));
});

it("goes with the state of a room that replaces itself", async () => {
  const desk = await openRoom();
  const { key, path } = desk;
  const said = { key, body: { content: saying("d") } };
  const { body: receipt } = await request<RoomMessageReceipt>("POST", `${path}/messages`, said);
  await desk.read(receipt.cursor);
  const { body: state } = await request<RoomStateExport>("GET", `${path}/state`, { key });
  const headers = { "if-match": `"${(await desk.now()).cursor}"` };
  await request("PUT", `${path}/state?replace=true`, { key, headers, body: state });

  const id = namedIn(receipt);
  await expect
    .poll(async () => (await request("HEAD", `/v1/files/${id}/content`, { key })).status)
    .toBe(200);
  expect(await filesOf(desk)).toEqual([[id], [id]]);
});
