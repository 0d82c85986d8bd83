// A room's log as its readers have it.
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { foldEvents } from "../../../protocol/fold/append-event.ts";
import {
  appendRoomEvent,
  EMPTY_CONVERSATION,
  foldRoom,
  saidMessages,
} from "../../../protocol/rooms/fold.ts";
import { agent, isOutside, person, RoomPlay } from "./room-play.ts";

/** A discussion in which three speak at once, and the events of their replies are mixed. */
function mixed(order: readonly number[]): RoomPlay {
  const play = new RoomPlay({
    members: [agent("ann"), agent("ben"), agent("cyd"), person("eve", true)],
    settings: { order: "parallel" },
    announcement: "Be kind.",
  });
  play.say("eve", "Begin.");
  for (const at of order) {
    for (const step of play.steps) if (!isOutside(step)) play.take(step);
    for (const step of play.steps) if (isOutside(step)) play.perform(step);
    const name = ["ann", "ben", "cyd"][at] ?? "ann";
    play.sessions.get(name)!.advance();
    play.copy(name);
  }
  return play;
}

const orders = fc.array(fc.nat(2), { minLength: 20, maxLength: 80, size: "max" });

it("gives each message as its session has it, whichever replies were mixed", () => {
  fc.assert(
    fc.property(orders, (order) => {
      const play = mixed(order);
      const { messages } = foldRoom(play.log);
      for (const [name, session] of play.sessions) {
        const own = foldEvents(session.log.slice(0, session.copied));
        const found = messages.filter(({ participant }) => participant === name);
        expect(found.map(({ message }) => message)).toEqual(own ? [own] : []);
      }
      const said = play.said.map(({ message }) => message);
      expect(saidMessages(foldRoom(play.log)).map(({ message }) => message)).toEqual(said);
    }),
    { numRuns: 50 },
  );
});

it("goes on from any cut, and takes no event twice", () => {
  fc.assert(
    fc.property(orders, fc.nat(100), (order, at) => {
      const { log } = mixed(order);
      const whole = foldRoom(log);
      const cut = log.slice(0, at % (log.length + 1));
      // A reader that comes back reads a part of it again.
      const again = log.slice(Math.max((at % (log.length + 1)) - 3, 0));
      expect(again.reduce(appendRoomEvent, foldRoom(cut))).toEqual(whole);
    }),
    { numRuns: 50 },
  );
});

it("shows who is there, who has a turn and for whom the room waits", () => {
  const play = mixed([0, 0, 1]);
  expect(foldRoom(play.log)).toMatchObject({
    is_discussing: true,
    round: 1,
    members: [{ name: "ann" }, { name: "ben" }, { name: "cyd" }, { name: "eve" }],
    turns: [
      { participant: "ann" },
      { participant: "ben" },
      { participant: "cyd" },
      { participant: "eve" },
    ],
    input_requests: [{ participant: "eve", form: null, expires_at: null }],
    last_end: null,
  });
  play.settle();
  const { turn_id } = foldRoom(play.log).input_requests[0]!;
  play.say("eve", "Yes.", { turn_id });
  play.settle();
  expect(foldRoom(play.log)).toMatchObject({
    is_discussing: false,
    round: 0,
    turns: [],
    input_requests: [],
    last_end: { reason: "completed" },
  });
  expect(foldRoom([])).toBe(EMPTY_CONVERSATION);
});

it("has what the moderator says, and leaves it out of what was said", () => {
  const play = new RoomPlay({
    members: [agent("ann")],
    settings: { order: "moderated" },
    script: (name, count) =>
      name === "moderator" ? { output: { next: count === 0 ? "ann" : null } } : {},
  });
  play.say("eve", "Begin.");
  play.settle();
  const folded = foldRoom(play.log);
  expect(folded.messages.map(({ participant }) => participant)).toEqual([
    "eve",
    "moderator",
    "ann",
    "moderator",
  ]);
  expect(saidMessages(folded).map(({ participant }) => participant)).toEqual(["eve", "ann"]);
});
