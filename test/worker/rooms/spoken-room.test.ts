// The conversation of a room that speaks, with a session on the other side of its line that says what the test says.
import { expect, test } from "vitest";

import { EMPTY_ROOM } from "../../../agent/rooms/room-state.ts";
import type { OpenRoom } from "../../../durable-objects/rooms/open-room.ts";
import type { Person } from "../../../durable-objects/rooms/person.ts";
import { SpokenRoom } from "../../../durable-objects/rooms/spoken-room.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { roomEvent, TEAM_UPDATED } from "../../../protocol/rooms/events.ts";
import { waitFor } from "../../support/wait-for.ts";

const LINE = { type: "reply_began", reply_id: "rep_1" } as const;

function personOf(participant: string) {
  const frames: { readonly type: string }[] = [];
  const ignore = () => undefined;
  const client = {
    socket: {},
    send: (frame: { readonly type: string }) => frames.push(frame),
    endAudio: ignore,
    note: ignore,
    stop: ignore,
  };
  const actor = { kind: "client_token", id: participant };
  const person = { participant, actor, client, ear: { stop: ignore } } as unknown as Person;
  return { person, frames };
}

/** A room with one agent, ann, whose session answers at once. */
function openSpoken() {
  const urls: string[] = [];
  const ends: WebSocket[] = [];
  const stub = {
    fetch: (url: string) => {
      urls.push(url);
      const [near, far] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
      far.accept();
      far.addEventListener("message", () => far.send(JSON.stringify({ type: "started" })), {
        once: true,
      });
      ends.push(far);
      return Promise.resolve(new Response(null, { status: 101, webSocket: near }));
    },
  };
  const room = {
    env: { SESSION: { getByName: () => stub } },
    init: { tenant_id: "ten_1" },
    table: { member: () => ({ session_id: "ses_1" }) },
    state: { ...EMPTY_ROOM, members: [{ name: "ann", kind: "agent" }] },
    inBackground: () => undefined,
    kick: () => undefined,
  } as unknown as OpenRoom;
  return { spoken: new SpokenRoom({ room, idleMs: 60_000, nextItem: 1 }), ends, urls };
}

/** Ann is heard by Mia. */
async function openHeard() {
  const { spoken, ends } = openSpoken();
  const mia = personOf("Mia");
  spoken.join(mia.person);
  await spoken.prepare("ann");
  const [session] = ends;
  session?.send(JSON.stringify(LINE));
  session?.send(JSON.stringify({ type: "item", item: 1, reply_id: "rep_1" }));
  await waitFor(() => expect(mia.frames.map(({ type }) => type)).toContain("item"));
  return { spoken, mia };
}

test("an agent that leaves the room while it is heard holds up nobody", async () => {
  const { spoken, mia } = await openHeard();
  const before = spoken.isTaken;
  const value = { members: [], moderator: null, joined: [], left: ["ann"] };
  spoken.logged({ ...roomEvent(TEAM_UPDATED, value), seq: 1 } as unknown as LoggedEvent);
  const within = mia.frames.length;
  await Promise.resolve();
  const types = mia.frames.map(({ type }) => type);
  spoken.dispose();

  // The steps behind it may append, which no listener of an append may.
  expect([before, within]).toEqual([true, 2]);
  expect(types).toEqual(["agent_ready", "item", "audio_end", "agent_ended"]);
  expect(spoken.isTaken).toBe(false);
});

test("nobody is heard any more when the last person has left", async () => {
  const { spoken, mia } = await openHeard();
  spoken.leave(mia.person);

  expect(spoken.isTaken).toBe(false);
});

test("a line is opened for a person who is there, though a newer one has left", async () => {
  const { spoken, urls } = openSpoken();
  const [mia, tom] = [personOf("Mia"), personOf("Tom")];
  spoken.join(mia.person);
  spoken.join(tom.person);
  spoken.leave(tom.person);
  await spoken.prepare("ann");
  spoken.dispose();

  expect(urls.map((url) => [url.includes("Mia"), url.includes("Tom")])).toEqual([[true, false]]);
});
