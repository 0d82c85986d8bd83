// Events of a room over a WebSocket.
import { describe, expect, it } from "vitest";

import type { StreamTicket } from "../../../protocol/events/stream-tickets.ts";
import type { RoomToken } from "../../../protocol/rooms/room-tokens.ts";
import { hasEnds, openEventSocket } from "../../support/event-socket.ts";
import { request } from "../../support/platform-client.ts";
import { openRoom } from "./room-desk.ts";

describe("a room's events over a WebSocket", () => {
  it("are those of its stream, also of discussions that come", async () => {
    const room = await openRoom();
    const socket = openEventSocket(`${room.path}/events?follow=room`, { key: room.key });
    await room.say("Hello.\n/say I am here.");
    await socket.until(hasEnds(2));
    await socket.close();
    const whole = await room.read(0);

    const streamed = whole.map(({ id, data }) => ({
      type: "event",
      seq: id,
      event: JSON.parse(data),
    }));
    expect(socket.frames).toEqual(streamed.slice(0, socket.frames.length));
  });

  it("are read by a page with its stream ticket, until its token is revoked", async () => {
    const room = await openRoom();
    const { cursor } = await room.say("Hello.\n/say I am here.");
    await room.read(cursor);
    const minted = { key: room.key, body: { participant: "Mia" } };
    const { body: token } = await request<RoomToken>("POST", `${room.path}/tokens`, minted);
    const path = `${room.path}/events?follow=room&format=ag-ui`;
    const { body } = await request<StreamTicket>("POST", `${room.path}/stream-tickets`, {
      key: token.token,
      body: { path },
    });
    const socket = openEventSocket(path, { ticket: body.ticket });
    await socket.until((frames) => frames.length > 0);
    await request("DELETE", `${room.path}/tokens/${token.id}`, { key: room.key });
    await socket.until((frames) => frames.at(-1)?.type === "error");

    expect(socket.frames.at(-1)).toMatchObject({ code: "unauthenticated" });
  });

  it("are no other tenant's, nor another room's", async () => {
    const [room, other] = [await openRoom(), await openRoom()];
    const minted = { key: other.key, body: { participant: "Mia" } };
    const { body: token } = await request<RoomToken>("POST", `${other.path}/tokens`, minted);
    const sockets = [other.key, token.token].map((key) =>
      openEventSocket(`${room.path}/events`, { key }),
    );

    for (const { closed } of sockets) {
      expect(await closed).toEqual({ code: 4404, reason: "not_found" });
    }
  });
});
