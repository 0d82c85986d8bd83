// Ends of turns and of discussions: bounds, failures, interrupts, those who leave, and those who join.
import { expect, it } from "vitest";

import { STOP_GRACE_MS } from "../../../agent/rooms/limits.ts";
import { nextStepMs, roomStatus } from "../../../agent/rooms/next-steps.ts";
import {
  ROOM_INTERRUPTED,
  ROOM_TURN_WANTED,
  roomEvent,
  type TeamMember,
} from "../../../protocol/rooms/events.ts";
import { agent, person, RoomPlay, START_MS } from "./room-play.ts";

const TWO = [agent("ann"), agent("ben")];
const interrupted = (participant: string | null) =>
  roomEvent(ROOM_INTERRUPTED, { participant, reason: "interrupted" });

it("a turn that has failed stops nobody", () => {
  const play = new RoomPlay({ members: TWO, script: (name) => ({ fails: name === "ann" }) });
  play.say("eve", "Begin.");
  play.settle();
  expect(play.story.slice(3)).toEqual([
    "> ann",
    "< ann error",
    "> ben",
    "< ben completed",
    "end: completed",
  ]);
});

it("a turn that hangs ends by its time, and the next one begins", () => {
  const play = new RoomPlay({
    members: TWO,
    settings: { turn_timeout_ms: 60_000 },
    script: (name) => ({ hangs: name === "ann", text: "So far" }),
  });
  play.say("eve", "Begin.");
  play.settle();
  expect(roomStatus(play.state)).toBe("running");
  expect(nextStepMs(play.state)).toBe(START_MS + 60_000);
  play.nowMs = START_MS + 60_000;
  play.settle();
  expect(play.story.slice(3)).toEqual([
    "> ann",
    "stop ann: timeout",
    "< ann timeout",
    "> ben",
    "< ben completed",
    "end: completed",
  ]);
  // Its words until then were said.
  expect(play.sessions.get("ben")!.known.map(({ name }) => name)).toEqual(["eve", "ann"]);
});

it("a session that cannot be reached holds up the room for the time of grace, and is told in the end", () => {
  const play = new RoomPlay({
    members: TWO,
    settings: { turn_timeout_ms: 60_000, rounds: 2 },
    script: (name, count) => ({ isLost: name === "ann" && count === 0 }),
  });
  play.say("eve", "Begin.");
  play.settle();
  play.nowMs += 60_000;
  play.settle();
  expect(nextStepMs(play.state)).toBe(START_MS + 60_000 + STOP_GRACE_MS);
  play.nowMs += STOP_GRACE_MS;
  play.settle();
  // Its second turn waits for the end of the reply that the first one has left.
  expect(play.state.discussion?.turns).toMatchObject([{ participant: "ann", reply_id: null }]);
  expect(play.steps).toMatchObject([{ type: "stop_reply", reply_id: "rep_ann_1" }]);
  play.nowMs += 60_000;
  play.settle();
  play.nowMs += STOP_GRACE_MS;
  play.settle();
  expect(play.story.at(-1)).toBe("end: completed");
  expect(play.story.filter((line) => line.startsWith("<"))).toEqual([
    "< ann timeout",
    "< ben completed",
    "< ann timeout",
    "< ben completed",
  ]);
});

it.each([
  ["the room waits in order", "sequential", "waiting"],
  ["the others go on in parallel", "parallel", "waiting"],
] as const)("a turn that waits for a person may end by its time: %s", (_, order, status) => {
  const play = new RoomPlay({
    members: TWO,
    settings: { order, turn_timeout_ms: 60_000 },
    script: (name) => ({ asks: name === "ann" }),
  });
  play.say("eve", "Begin.");
  play.settle();
  expect(roomStatus(play.state)).toBe(status);
  play.nowMs += 60_000;
  play.settle();
  expect(play.state.pending).toEqual([]);
  expect(play.story).toContain("< ann timeout");
  expect(play.story.at(-1)).toBe("end: completed");
});

it("a person who says nothing in time has had the turn", () => {
  const play = new RoomPlay({ members: [person("eve", true, 5_000), agent("ann")] });
  play.say("dan", "Begin.");
  play.settle();
  expect(roomStatus(play.state)).toBe("waiting");
  expect(nextStepMs(play.state)).toBe(START_MS + 5_000);
  const required = play.log.find(
    (event) => event.type === "CUSTOM" && event.name === "room_input_required",
  );
  expect(required).toMatchObject({ value: { expires_at: "2026-11-30T09:00:05.000Z" } });
  play.nowMs += 5_000;
  play.settle();
  expect(play.story.slice(4)).toEqual([
    "< eve timeout",
    "> ann",
    "< ann completed",
    "end: completed",
  ]);
});

it("a discussion ends by its tokens before the next turn, and by its time in the middle of one", () => {
  const spent = new RoomPlay({ members: TWO, settings: { max_tokens: 10 } });
  spent.say("eve", "Begin.");
  spent.settle();
  expect(spent.story.slice(4)).toEqual(["< ann completed", "end: max_tokens"]);
  const late = new RoomPlay({
    members: TWO,
    settings: { max_ms: 1_000 },
    script: () => ({ hangs: true }),
  });
  late.say("eve", "Begin.");
  late.settle();
  expect(nextStepMs(late.state)).toBe(START_MS + 1_000);
  late.nowMs += 1_000;
  late.settle();
  expect(late.story.slice(3)).toEqual([
    "> ann",
    "stop all: timeout",
    "< ann timeout",
    "end: timeout",
  ]);
});

it("tokens that the last turn has spent end nothing by name", () => {
  const play = new RoomPlay({ members: TWO, settings: { max_tokens: 20 } });
  play.say("eve", "Begin.");
  play.settle();
  expect(play.story.at(-1)).toBe("end: completed");
});

it("a message interrupts the discussion, and begins the next one", () => {
  const play = new RoomPlay({
    members: TWO,
    script: (name, count) => ({ hangs: name === "ann" && count === 0 }),
  });
  play.say("eve", "Begin.");
  play.settle();
  play.say("eve", "No, wait.", { interrupts: true });
  play.settle();
  expect(play.story.slice(3)).toEqual([
    "> ann",
    "eve says",
    "< ann interrupted",
    "end: interrupted",
    "discussion 2",
    "round 1: ann ben",
    "> ann",
    "< ann completed",
    "> ben",
    "< ben completed",
    "end: completed",
  ]);
  expect(play.state.last_end?.reason).toBe("completed");
});

it("an interrupt of the room drops what waits for its turn, and leaves it to be heard", () => {
  const play = new RoomPlay({ members: TWO, script: () => ({ hangs: true }) });
  play.say("eve", "Begin.");
  play.settle();
  play.say("eve", "And then?");
  play.commit([interrupted(null)]);
  play.settle();
  expect(play.story.slice(-3)).toEqual([
    "stop all: interrupted",
    "< ann interrupted",
    "end: interrupted",
  ]);
  expect(play.sessions.get("ben")!.known.map(({ name }) => name)).toEqual(["eve", "eve", "ann"]);
});

it("an interrupt of one participant goes on with the next one", () => {
  const play = new RoomPlay({ members: TWO, script: (name) => ({ hangs: name === "ann" }) });
  play.say("eve", "Begin.");
  play.settle();
  play.commit([interrupted("ann")]);
  play.settle();
  expect(play.story.slice(-4)).toEqual([
    "< ann interrupted",
    "> ben",
    "< ben completed",
    "end: completed",
  ]);
});

it("a second interrupt gives no more time than the first one", () => {
  const play = new RoomPlay({ members: TWO, script: (name) => ({ isLost: name === "ann" }) });
  play.say("eve", "Begin.");
  play.settle();
  play.commit([interrupted("ann")]);
  play.nowMs += STOP_GRACE_MS - 1;
  play.commit([interrupted("ann")]);
  play.nowMs += 1;
  play.settle();
  expect(play.story).toContain("< ann interrupted");
});

it("one who leaves has no turn any more, and one who joins hears what it may", () => {
  const play = new RoomPlay({
    members: TWO,
    settings: { rounds: 2 },
    script: (name, count) => ({ hangs: name === "ann" && count === 0 }),
  });
  play.say("eve", "Begin.");
  play.settle();
  const at = play.log.length;
  const members: readonly TeamMember[] = [agent("ben"), agent("cyd"), agent("dee")];
  play.team({
    members,
    moderator: null,
    joined: [
      { name: "cyd", hears_from: 0 },
      { name: "dee", hears_from: at },
    ],
    left: ["ann"],
  });
  play.settle();
  expect(play.story.slice(3)).toEqual([
    "> ann",
    "< ann left",
    "> ben",
    "< ben completed",
    "round 2: ben cyd dee",
    ...["ben", "cyd", "dee"].flatMap((name) => [`> ${name}`, `< ${name} completed`]),
    "end: completed",
  ]);
  const heard = (name: string) => play.sessions.get(name)!.known.map(({ id }) => id);
  expect(heard("cyd")).toEqual(["msg_1", "rep_ann_1", "rep_ben_1", "rep_ben_2", "rep_dee_1"]);
  expect(heard("dee")).toEqual(["rep_ann_1", "rep_ben_1", "rep_ben_2", "rep_cyd_1"]);
});

it("an announcement is told at once, and begins nothing", () => {
  const play = new RoomPlay({ members: [...TWO, person("eve")], announcement: "Be kind." });
  expect(roomStatus(play.state)).toBe("idle");
  play.settle();
  expect(play.sessions.get("ben")!.known.map(({ name }) => name)).toEqual(["room"]);
  expect(play.story).toEqual(["- says"]);
});

it("the end of a background task is a turn of its participant alone", () => {
  const play = new RoomPlay({ members: TWO });
  play.commit([roomEvent(ROOM_TURN_WANTED, { participant: "ben" })]);
  play.commit([roomEvent(ROOM_TURN_WANTED, { participant: "zoe" })]);
  play.settle();
  expect(play.story).toEqual([
    "discussion 1",
    "round 1: ben",
    "> ben",
    "< ben completed",
    "end: completed",
  ]);
  expect(play.sessions.get("ann")!.known.map(({ id }) => id)).toEqual(["rep_ben_1"]);
});

it("a room in which nobody has a turn ends its discussion at once", () => {
  const play = new RoomPlay({ members: [person("eve")] });
  play.say("eve", "Hello?");
  play.settle();
  expect(play.story).toEqual(["eve says", "discussion 1", "end: completed"]);
});
