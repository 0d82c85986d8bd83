// Many who speak at once: nothing that is said is lost or doubled, for anybody, whatever comes between.
import { abortAllDurableObjects } from "cloudflare:test";
import { afterEach, expect, test } from "vitest";

import { foldRoom, saidMessages } from "../../../protocol/rooms/fold.ts";
import { BROAD } from "../../support/breadth.ts";
import { waitFor } from "../../support/wait-for.ts";
import { mockModel, type MockModel } from "./mock-model.ts";
import {
  CALL,
  eventsOf,
  messagesOf,
  openRoom,
  readRoom,
  sessionMessages,
  streamOf,
  type RoomDesk,
} from "./room-desk.ts";

let model: MockModel | null = null;
afterEach(() => model?.restore());

const AGENTS = ["alpha", "beta", "gamma", "delta"];
const PEOPLE = [{ name: "Mia" }, { name: "Ben" }];
const MESSAGES = 8;

/** Says it until it is taken, as a client does; its id makes it one message. */
async function insist(desk: RoomDesk, participant: string, number: number): Promise<void> {
  const id = `${participant}-${number}`;
  const content = `${participant} says ${number}`;
  await waitFor(async () => {
    const said = await desk.room.postMessage({ id, participant, content }, CALL);
    expect(said.ok).toBe(true);
  });
}

/** Each session has each message once, and so has the room, whose log folds into them. */
async function checkVoices(desk: RoomDesk): Promise<void> {
  await waitFor(async () => {
    expect(await readRoom(desk)).toMatchObject({ status: "idle", pending: [] });
    const said = (await messagesOf(desk)).map(({ id }) => id);
    expect(new Set(said).size).toBe(said.length);
    for (const { session_id } of (await readRoom(desk)).participants) {
      if (session_id === null) continue;
      const told = (await sessionMessages(desk.call, session_id)).map(({ id }) => id);
      expect(told.toSorted()).toEqual(said.toSorted());
    }
  });
  const events = await eventsOf(desk);
  const folded = saidMessages(foldRoom(events)).map(({ message }) => message);
  expect(await messagesOf(desk)).toEqual(folded);
  expect(await streamOf(desk)).toEqual(events);
  for (const { name } of PEOPLE) {
    const own = folded.filter((message) => message.name === name);
    expect(own.map(({ id }) => id).toSorted()).toEqual(
      Array.from({ length: MESSAGES }, (_, index) => `${name}-${index}`),
    );
  }
}

async function openVoices(): Promise<RoomDesk> {
  let calls = 0;
  model = mockModel(({ model: name }, number) => {
    calls += 1;
    return { text: `${name} ${number}`, waitMs: (calls * 37) % 60 };
  });
  return openRoom({
    agents: AGENTS,
    people: PEOPLE,
    turns: { order: "parallel", rounds: 1 },
    bounds: { max_rounds: 100 },
  });
}

test("people and agents who all speak at once", async () => {
  const desk = await openVoices();
  const all = PEOPLE.flatMap(({ name }) =>
    Array.from({ length: MESSAGES }, (_, number) => ({ name, number })),
  );
  await Promise.all(
    all.map(async ({ name, number }) => {
      await scheduler.wait((number * 71) % 400);
      await insist(desk, name, number);
    }),
  );
  await checkVoices(desk);
});

test("the same while machines are lost", BROAD, async () => {
  const desk = await openVoices();
  for (let number = 0; number < MESSAGES; number += 1) {
    await Promise.all(PEOPLE.map(({ name }) => insist(desk, name, number)));
    await scheduler.wait((number * 53) % 120);
    if (number % 2 === 1) await abortAllDurableObjects();
  }
  await checkVoices(desk);
});
