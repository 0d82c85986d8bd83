// Tickets for streams of a room, as a browser's `EventSource` uses them: without any header but its own.
import { describe, expect, inject, it } from "vitest";

import type { StreamTicket } from "../../../protocol/events/stream-tickets.ts";
import type { Problem } from "../../../protocol/problem.ts";
import type { RoomToken } from "../../../protocol/rooms/room-tokens.ts";
import { openRequest, readSse, request } from "../../support/platform-client.ts";
import { openRoom, type RoomDesk } from "./room-desk.ts";

const STREAM = { accept: "text/event-stream" };
const ORIGIN = "https://shop.example";

async function mint(key: string, room: RoomDesk, path = `${room.path}/events`, headers = {}) {
  const asked = { key, headers, body: { path } };
  return request<StreamTicket>("POST", `${room.path}/stream-tickets`, asked);
}

/** A room in which something was said, and Mia's token. */
async function openTold(wish: object = {}) {
  const room = await openRoom();
  const { cursor } = await room.say("Hello.\n/say I am here.");
  await room.read(cursor);
  const minted = { key: room.key, body: { participant: "Mia", ...wish } };
  const { body: token } = await request<RoomToken>("POST", `${room.path}/tokens`, minted);
  return { room, token };
}

const codeOf = async (method: string, path: string, more: object = {}) => {
  const { status, body } = await request<Problem>(method, path, more);
  return [status, body.code];
};

describe("a stream ticket of a room", () => {
  it("opens its stream, and again from the event that its reader has", async () => {
    const { room, token } = await openTold();
    const { status, body: ticket } = await mint(token.token, room);
    const whole = await readSse(await openRequest("GET", ticket.path, { headers: STREAM }));
    const last = whole[2]!.id;

    const again = { ...STREAM, "last-event-id": String(last) };
    const rest = await readSse(await openRequest("GET", ticket.path, { headers: again }));
    const ended = { ...STREAM, "last-event-id": String(whole.at(-1)!.id) };
    const over = await openRequest("GET", ticket.path, { headers: ended });

    expect([status, ticket.token_id, ticket.expires_at]).toEqual([201, token.id, token.expires_at]);
    expect(whole).toEqual(await room.read(0));
    expect(rest).toEqual(whole.slice(3));
    // An `EventSource` stops at 204.
    expect(over.status).toBe(204);
  });

  it("opens the stream of AG-UI that it was minted for", async () => {
    const { room, token } = await openTold();
    const { body: ticket } = await mint(token.token, room, `${room.path}/events?format=ag-ui`);

    const frames = await readSse(await openRequest("GET", ticket.path, { headers: STREAM }));

    expect(frames.map(({ event }) => event)).toContain("MESSAGES_SNAPSHOT");
  });

  it("opens no other stream, room, session or route", async () => {
    const { room, token } = await openTold();
    const other = await openRoom();
    const session = `/v1/sessions/${room.room.participants[0]?.session_id ?? ""}`;
    const { body: ticket } = await mint(token.token, room, `${room.path}/events?follow=room`);
    const query = `token=${ticket.ticket}`;

    expect([
      await codeOf("GET", `${room.path}/events?${query}`),
      await codeOf("GET", `${room.path}/events?follow=room&format=ag-ui&${query}`),
      await codeOf("GET", `${other.path}/events?follow=room&${query}`),
      await codeOf("GET", `${session}/events?follow=room&${query}`),
      await codeOf("GET", `${room.path}?${query}`),
      await codeOf("GET", `${room.path}/messages?${query}`),
      await codeOf("POST", `${room.path}/messages?${query}`, { body: { content: "Hi." } }),
      await codeOf("POST", `${room.path}/stream-tickets`, {
        key: ticket.ticket,
        body: { path: `${room.path}/events` },
      }),
      await codeOf("GET", ticket.path, { key: room.key }),
      await codeOf("GET", `${room.path}/events?token=${token.token}`),
    ]).toEqual([
      [403, "insufficient_scope"],
      [403, "insufficient_scope"],
      [404, "not_found"],
      [403, "insufficient_scope"],
      [401, "unauthenticated"],
      [401, "unauthenticated"],
      [401, "unauthenticated"],
      [401, "unauthenticated"],
      [400, "validation_failed"],
      [401, "unauthenticated"],
    ]);
  });

  it("ends with its token when that is revoked, and with it the stream", async () => {
    const { room, token } = await openTold();
    const { body: ticket } = await mint(token.token, room, `${room.path}/events?follow=room`);
    const stream = await openRequest("GET", ticket.path, { headers: STREAM });
    const reading = readSse(stream);

    await request("DELETE", `${room.path}/tokens/${token.id}`, { key: room.key });
    const frames = await reading;

    expect([stream.status, frames.length > 0]).toEqual([200, true]);
    expect(await codeOf("GET", ticket.path)).toEqual([401, "unauthenticated"]);
  });

  it("is for the pages that its token is for", async () => {
    const { room, token } = await openTold({ allowed_origins: [ORIGIN] });
    const page = { origin: ORIGIN };
    const { body: ticket } = await mint(token.token, room, `${room.path}/events`, page);
    const from = (origin: string) => openRequest("GET", ticket.path, { headers: { origin } });

    expect([(await from(ORIGIN)).status, (await from("https://evil.example")).status]).toEqual([
      200, 403,
    ]);
  });

  it("is minted by an API key too, with a token of its own that speaks as nobody and can be revoked", async () => {
    const { room } = await openTold();
    const { body: ticket } = await mint(room.key, room);
    const { body: tokens } = await request<{ data: readonly RoomToken[] }>(
      "GET",
      `${room.path}/tokens`,
      { key: room.key },
    );
    const own = tokens.data.find(({ id }) => id === ticket.token_id);

    const before = (await request("GET", ticket.path)).status;
    await request("DELETE", `${room.path}/tokens/${ticket.token_id}`, { key: room.key });

    expect([own?.verbs, own?.participant, before]).toEqual([["read"], null, 200]);
    expect(await codeOf("GET", ticket.path)).toEqual([401, "unauthenticated"]);
  });

  it("is minted for streams of the room in the path alone, by those who may read it", async () => {
    const { room } = await openTold();
    const other = await openRoom();
    const minted = { key: room.key, body: { verbs: ["reply"], participant: "Mia" } };
    const { body: deaf } = await request<RoomToken>("POST", `${room.path}/tokens`, minted);
    const paths = [
      room.path,
      `${room.path}/messages`,
      `${other.path}/events`,
      `/v1/sessions/${room.room.participants[0]?.session_id ?? ""}/events`,
      `/v1/rooms/x/../${room.room.id}/events/x`,
      "",
    ];
    const answers = [];
    for (const path of paths) answers.push((await mint(room.key, room, path)).status);

    expect(answers).toEqual(paths.map(() => 400));
    expect((await mint(deaf.token, room)).status).toBe(403);
    expect((await mint(other.key, room)).status).toBe(404);
  });

  it("stands in no answer", async () => {
    const { room, token } = await openTold();
    const { body: ticket } = await mint(token.token, room);
    const response = await fetch(`${inject("baseUrl")}${ticket.path}x`);

    expect((await response.text()).includes(ticket.ticket)).toBe(false);
  });
});
