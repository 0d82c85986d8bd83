// Rooms in a storm of messages and interrupts, at any moment of a turn: what was said is heard once by everybody, in one order.
import { afterEach, expect, it } from "vitest";

import { advanceRoom } from "../../../agent/rooms/advance-room.ts";
import { EMPTY_ROOM } from "../../../agent/rooms/room-state.ts";
import { foldRoom, saidMessages } from "../../../protocol/rooms/fold.ts";
import { roomEventOf, type TurnOrder } from "../../../protocol/rooms/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { BROAD } from "../../support/breadth.ts";
import { mockModel, type MockModel } from "./mock-model.ts";
import {
  eventsOf,
  openRoom,
  readRoom,
  say,
  sessionMessages,
  valueOf,
  type RoomDesk,
} from "./room-desk.ts";

let model: MockModel | null = null;
afterEach(() => model?.restore());

const NAMES = ["alpha", "beta", "gamma"];

/** Numbers that are the same in each run. */
function drawn(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

it("in a room whose turns are in parallel", () => storm("parallel", 2));

it.each([
  ["sequential", 1],
  ["mentioned", 3],
] as const)("in a room whose turns are %s", BROAD, storm);

async function storm(order: TurnOrder, seed: number): Promise<void> {
  const next = drawn(seed);
  model = mockModel(({ model: name }, number) => ({
    text: `${name} ${number} @${NAMES[number % 3]}`,
    waitMs: Math.floor(next() * 60),
    ...(next() < 0.1 && { fails: 400 }),
  }));
  const desk = await openRoom({
    turns: { order, ...(order === "mentioned" && { rounds: undefined }) },
    bounds: { max_rounds: 3 },
  });
  for (let index = 0; index < 25; index += 1) {
    const choice = next();
    if (choice < 0.2) {
      const participant = choice < 0.1 ? undefined : NAMES[index % 3];
      valueOf(await desk.room.interrupt({ participant }));
    } else {
      const on_busy = choice < 0.4 ? "interrupt" : "queue";
      await say(desk, `message ${index}`, { on_busy, mentions: [NAMES[index % 3]] });
    }
    await scheduler.wait(Math.floor(next() * 80));
  }
  await expect.poll(() => isQuiet(desk)).toBe(true);

  const events = await eventsOf(desk);
  // The stored state is the fold of the log, and nothing is left open in it.
  const state = events.reduce(advanceRoom, EMPTY_ROOM);
  expect([state.discussion, state.replies, state.pending]).toEqual([null, [], []]);
  expect(openIn(events)).toEqual([]);

  const said = saidMessages(foldRoom(events)).filter(({ message }) => textOf(message) !== "");
  const { participants } = await readRoom(desk);
  for (const { name, session_id } of participants) {
    if (session_id === null) continue;
    const heard = (await sessionMessages(desk.call, session_id)).filter(
      ({ role }) => role === "user",
    );
    const others = said.filter(({ participant }) => participant !== name);
    expect(heard.map(({ id }) => id)).toEqual(others.map(({ message }) => message.id));
    expect(heard.map(textOf)).toEqual(others.map(({ message }) => textOf(message)));
  }
}

async function isQuiet(desk: RoomDesk): Promise<boolean> {
  const { status } = await readRoom(desk);
  if (status !== "idle") return false;
  const events = await eventsOf(desk);
  const { members, said } = events.reduce(advanceRoom, EMPTY_ROOM);
  return members.every(
    ({ name, kind, heard_seq }) =>
      kind === "person" ||
      Object.entries(said).every(([speaker, seq]) => speaker === name || seq <= heard_seq),
  );
}

/** Turns, rounds and discussions without an end. */
function openIn(events: Awaited<ReturnType<typeof eventsOf>>): readonly string[] {
  const open: string[] = [];
  for (const event of events) {
    const own = roomEventOf(event);
    const change = own && /^room_(discussion|round|turn)_(started|ended)$/.exec(own.name);
    if (!own || !change) continue;
    const { turn_id = "" } = own.value as { readonly turn_id?: string };
    const key = `${change[1]} ${turn_id}`;
    if (change[2] === "started") open.push(key);
    else open.splice(open.indexOf(key), 1);
  }
  return open;
}

function textOf({ content }: Msg): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
