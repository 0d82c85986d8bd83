// A room under a hostile machine: steps that are repeated, lost and late, in every order.
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { advanceRoom } from "../../../agent/rooms/advance-room.ts";
import { heardMessage } from "../../../agent/rooms/heard-message.ts";
import { nextStepMs, roomStatus } from "../../../agent/rooms/next-steps.ts";
import { EMPTY_ROOM } from "../../../agent/rooms/room-state.ts";
import { roomEventOf } from "../../../protocol/rooms/events.ts";
import { move, moves, NAMES, open, setup } from "./hostile-room.ts";
import type { RoomPlay } from "./room-play.ts";

/** Everything that people and time can do for it, until nothing is left to be done. */
function finish(play: RoomPlay): void {
  for (let count = 0; count < 400; count += 1) {
    play.settle();
    if (roomStatus(play.state) === "idle" && play.steps.length === 0) return;
    const nextMs = nextStepMs(play.state);
    // A session that was lost is there again in the end.
    if (nextMs === null) for (const session of play.sessions.values()) session.recover();
    else play.nowMs = Math.max(play.nowMs, nextMs);
  }
  throw new Error(`the room goes on: ${JSON.stringify(play.state)}`);
}

it("comes to rest, and everybody has heard everything once, in the order of the room", () => {
  fc.assert(
    fc.property(setup, moves, (given, made) => {
      const play = open(given);
      for (const { type, at } of made) {
        move(play, type, at);
        checkTurns(play);
      }
      finish(play);
      for (const name of NAMES) {
        const heard = play.sessions.get(name)!.known.map(({ id }) => id);
        expect(new Set(heard).size).toBe(heard.length);
        const others = play.said.filter(({ speaker }) => speaker !== name);
        expect(heard).toEqual(others.flatMap(idOf));
      }
      checkEnds(play);
    }),
    { numRuns: 150 },
  );
});

it("is the same behind every prefix of its log, and ends the same from there", () => {
  fc.assert(
    fc.property(setup, moves, (given, made) => {
      const play = open(given);
      let state = EMPTY_ROOM;
      let folded = 0;
      for (const { type, at } of made) {
        move(play, type, at);
        for (; folded < play.log.length; folded += 1) state = advanceRoom(state, play.log[folded]!);
        expect(state).toEqual(play.state);
        // A state that was stored is the one that was folded.
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }
      const before = play.steps;
      play.crash();
      expect(play.steps).toEqual(before);
      finish(play);
      const rest = play.story;
      play.crash();
      finish(play);
      expect(play.story).toEqual(rest);
    }),
    { numRuns: 100 },
  );
});

/** The id of what others hear of it: one who was stopped before the first word has said nothing. */
function idOf({ speaker, message }: RoomPlay["said"][number]): readonly string[] {
  const heard = heardMessage(message, speaker);
  return heard ? [heard.id] : [];
}

/** One turn at a time but in parallel, one of each participant in any case. */
function checkTurns({ state: { discussion, settings } }: RoomPlay): void {
  const names = discussion?.turns.map(({ participant }) => participant) ?? [];
  expect(new Set(names).size).toBe(names.length);
  if (settings.order !== "parallel") expect(names.length).toBeLessThan(2);
}

/** Each turn, round and discussion has one beginning and one end, one within the other. */
function checkEnds(play: RoomPlay): void {
  const open: string[] = [];
  for (const event of play.log) {
    const own = roomEventOf(event);
    const change = own && /^room_(discussion|round|turn)_(started|ended)$/.exec(own.name);
    if (!change || !own) continue;
    const value = own.value as { turn_id?: string };
    const key = `${change[1]} ${change[1] === "turn" ? value.turn_id : ""}`;
    if (change[2] === "started") {
      expect(open).not.toContain(key);
      open.push(key);
    } else {
      expect(open).toContain(key);
      open.splice(open.indexOf(key), 1);
    }
  }
  expect(open).toEqual([]);
  const replies = [...play.sessions.values()].flatMap(({ turns }) => [...turns.keys()]);
  expect(new Set(replies).size).toBe(replies.length);
}
