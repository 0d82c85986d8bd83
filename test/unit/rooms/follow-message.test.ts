// A message of a trigger is followed to the end of the discussion that has answered it, through the fold of the room.
import { expect, test } from "vitest";

import {
  followMessage,
  UNANSWERED,
  type FollowedMessage,
} from "../../../agent/rooms/follow-message.ts";
import type { RoomEvent, RoomEventValues } from "../../../protocol/rooms/events.ts";

const started = (discussion: number) =>
  of("room_discussion_started", { discussion, message_id: "msg_1" });
const round = (discussion: number) =>
  of("room_round_started", { discussion, round: 2, order: "sequential", participants: [] });
const ended = (
  discussion: number,
  reason: RoomEventValues["room_discussion_ended"]["reason"] = "completed",
) => of("room_discussion_ended", { discussion, reason });
const interrupted = (participant: string | null, reason: "interrupted" | "timeout") =>
  of("room_interrupted", { participant, reason });
const turn = (discussion: number, reason: "completed" | "error" | "timeout" = "completed") =>
  of("room_turn_ended", {
    turn_id: "trn_1",
    participant: "ann",
    discussion,
    round: 1,
    reason,
    reply_id: null,
    mentions: [],
    error: reason === "error" ? { type: "upstream", message: "It is down." } : null,
  });

function of<Name extends keyof RoomEventValues>(name: Name, value: RoomEventValues[Name]) {
  return { name, value } as unknown as RoomEvent;
}

const down = { type: "upstream", message: "It is down." } as const;

test.each<[string, readonly RoomEvent[], Partial<FollowedMessage>]>([
  ["is answered by the discussion behind it", [started(1)], { discussion: 1 }],
  [
    "ends with that discussion",
    [started(1), turn(1), ended(1)],
    { discussion: 1, is_answered: true, end: "completed" },
  ],
  ["is answered by the next round of a discussion that runs", [round(3)], { discussion: 3 }],
  [
    "is not ended by a discussion that began before it, nor answered by its turns",
    [turn(1), ended(1), started(2)],
    { discussion: 2 },
  ],
  [
    "keeps the failure of a turn, beside turns that have ended",
    [started(1), turn(1, "error"), turn(1), ended(1)],
    { discussion: 1, is_answered: true, error: down, end: "completed" },
  ],
  [
    "is not answered by turns that were ended",
    [started(1), turn(1, "timeout"), ended(1, "timeout")],
    { discussion: 1, end: "timeout" },
  ],
  [
    "is given up where a person stops the room before it is answered",
    [interrupted(null, "interrupted"), started(2)],
    { end: "interrupted" },
  ],
  [
    "is not given up where a turn, or a discussion before it, is stopped",
    [interrupted("ann", "interrupted"), interrupted(null, "timeout"), started(2)],
    { discussion: 2 },
  ],
  [
    "ends with a discussion that is stopped",
    [started(1), interrupted(null, "interrupted"), ended(1, "interrupted")],
    { discussion: 1, end: "interrupted" },
  ],
  [
    "keeps its end",
    [started(1), ended(1), started(2), turn(2), ended(2)],
    {
      discussion: 1,
      end: "completed",
    },
  ],
  ["ends where a state is put in its place", [of("room_cleared", {})], { end: "interrupted" }],
])("a message %s", (_, events, expected) => {
  expect(events.reduce(followMessage, UNANSWERED)).toEqual({ ...UNANSWERED, ...expected });
});
