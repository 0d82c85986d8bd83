// Names of participants that differ only in case are names of several participants: each is spoken to, saved and taken away by its own.
import { afterEach, expect, it } from "vitest";

import { readUrl } from "../../../durable-objects/api/read-request.ts";
import type { RoomStateInput } from "../../../protocol/rooms/room-state.ts";
import { mockModel, type MockModel } from "./mock-model.ts";
import { atRest, CALL, openRoom, readRoom, saidIn, say, valueOf } from "./room-desk.ts";

let model: MockModel | null = null;
afterEach(() => model?.restore());

it("gives each of them turns, a state and an end of its own", async () => {
  model = mockModel(({ model: name }) => `I am ${name}.`);
  const desk = await openRoom({
    agents: ["Ann", "ann"],
    people: [{ name: "ANN" }],
    turns: { order: "mentioned" },
  });
  const speak = (content: string, mentions: readonly string[]) =>
    say(desk, content, { participant: "ANN", mentions });
  await speak("You?", ["ann"]);
  await atRest(desk);
  await speak("And you?", ["Ann"]);
  await atRest(desk);
  const response = await desk.room.fetch(readUrl({ what: "state" }));
  const { agents } = await response.json<RoomStateInput>();
  const missing = await desk.room.removeParticipant("aNN");
  valueOf(await desk.room.removeParticipant("ann"));
  const there = (await readRoom(desk)).participants.filter(({ left_at }) => left_at === null);
  const gone = await desk.room.postMessage(
    { participant: "ANN", content: "You?", mentions: ["ann"] },
    CALL,
  );

  expect(await saidIn(desk)).toEqual([
    "ANN: You?",
    "ann: I am ann.",
    "ANN: And you?",
    "Ann: I am Ann.",
  ]);
  expect(Object.keys(agents)).toEqual(["Ann", "ann"]);
  expect([missing, gone]).toMatchObject([
    { ok: false, refusal: { code: "not_found" } },
    { ok: false, refusal: { code: "validation_failed" } },
  ]);
  expect(there.map(({ name }) => name)).toEqual(["Ann", "ANN"]);
});
