// A room's log as AG-UI, as its clients are sent it.
import { expect, it } from "vitest";

import type { RoomAgUiOptions } from "../../../protocol/dialects/ag-ui/rooms/room-translator.ts";
import { RoomAgUiTranslator } from "../../../protocol/dialects/ag-ui/rooms/room-translator.ts";
import { ROOM_INTERRUPTED, roomEvent } from "../../../protocol/rooms/events.ts";
import { agent, person, RoomPlay, type PlaySetup } from "./room-play.ts";

function told(play: RoomPlay, options?: RoomAgUiOptions): readonly string[] {
  const translator = new RoomAgUiTranslator("room_1", options);
  return play.log
    .flatMap((event) => translator.push(event))
    .flatMap(({ event }): string[] => {
      switch (event.type) {
        case "RUN_STARTED":
          return [
            `run ${event.runId}: ${event.input?.messages.map(({ id }) => id).join(" ") ?? ""}`,
          ];
        case "RUN_FINISHED": {
          const { outcome, result } = event;
          const asked = outcome?.type === "interrupt" ? outcome.interrupts : [];
          const ids = asked.map(({ id }) => (id.startsWith("trn_") ? "person" : id)).join(" ");
          return [`end ${outcome?.type ?? "-"} ${ids}${result ? JSON.stringify(result) : ""}`];
        }
        case "SUBAGENT_STARTED":
          return [`> ${event.name}`];
        case "SUBAGENT_FINISHED":
          return [`< ${event.outcome.type}`];
        case "SUBAGENT_ERROR":
          return [`< ${event.code}`];
        case "STEP_STARTED":
          return [`step ${event.stepName}`];
        case "STEP_FINISHED":
          return [`step ${event.stepName} ends`];
        case "TEXT_MESSAGE_CONTENT":
          return [`"${event.delta}"`];
        case "MESSAGES_SNAPSHOT":
          return [`all: ${event.messages.map(({ role }) => role).join(" ")}`];
        default:
          return [];
      }
    });
}

function played(setup: PlaySetup): RoomPlay {
  const play = new RoomPlay(setup);
  play.say("eve", "Begin.");
  play.settle();
  return play;
}

it("is a run for each round, with a lane for each turn", () => {
  const play = played({ members: [agent("ann"), agent("ben")], settings: { rounds: 2 } });
  expect(told(play)).toEqual([
    "run room_1:1:1: msg_1",
    "> ann",
    '"ann 1"',
    "< success",
    "> ben",
    '"ben 1"',
    "< success",
    "end success ",
    "run room_1:1:2: ",
    "> ann",
    '"ann 2"',
    "< success",
    "> ben",
    '"ben 2"',
    "< success",
    'end success {"reason":"completed"}',
  ]);
});

it("names the speaker, and has ids that are of one turn alone", () => {
  const play = played({ members: [agent("ann")] });
  const translator = new RoomAgUiTranslator("room_1");
  const events = play.log.flatMap((event) => translator.push(event)).map(({ event }) => event);
  const [turn] = play.sessions.get("ann")!.turns.keys();
  expect(events.find(({ type }) => type === "TEXT_MESSAGE_START")).toMatchObject({
    messageId: `${turn}:rep_ann_1_t`,
    subagentRunId: turn,
    role: "assistant",
    name: "ann",
  });
  expect(events.find(({ type }) => type === "REASONING_MESSAGE_CONTENT")).toMatchObject({
    messageId: `${turn}:rep_ann_1_k`,
    subagentRunId: turn,
    delta: "secret",
  });
  expect(events.at(-1)).toMatchObject({
    usage: [{ model: "mock", inputTokens: 10, outputTokens: 0 }],
  });
});

it("ends its run when all that is open waits, and goes on in another one", () => {
  const play = played({
    members: [agent("ann"), person("eve", true)],
    settings: { order: "parallel" },
    script: () => ({ asks: true }),
  });
  expect(told(play).slice(-3)).toEqual([
    "< suspended",
    "all: user reasoning assistant",
    "end interrupt rep_ann_1:rep_ann_1_c person",
  ]);
  const { turn_id } = play.state.discussion!.turns.find(({ kind }) => kind === "person")!;
  const answer = play.say("eve", "Yes.", { turn_id });
  play.settle();
  // The call alone waits now: nothing is told until that goes on.
  const before = told(play).length;
  play.sessions.get("ann")!.answer();
  play.settle();
  expect(told(play).slice(before)).toEqual([
    `run room_1:1:1: ${answer}`,
    "> ann",
    '"ann 1"',
    "< success",
    'end success {"reason":"completed"}',
  ]);
});

it("goes on while one of several waits", () => {
  const play = new RoomPlay({
    members: [agent("ann"), agent("ben")],
    settings: { order: "parallel" },
    script: (name) => ({ asks: name === "ann", hangs: name === "ben" }),
  });
  play.say("eve", "Begin.");
  play.settle();
  expect(told(play)).toEqual(["run room_1:1:1: msg_1", "> ann", "> ben", '"ben 1"']);
  expect(told(play, { profile: "0.0" })).toEqual([
    "run room_1:1:1: msg_1",
    "step ann",
    "step ann ends",
    "step ben",
    '"ben 1"',
  ]);
});

it("tells a failure and an interrupt by their names", () => {
  const failed = played({ members: [agent("ann")], script: () => ({ fails: true }) });
  expect(told(failed).slice(-2)).toEqual(["< upstream", 'end success {"reason":"completed"}']);
  const stopped = played({ members: [agent("ann")], script: () => ({ hangs: true }) });
  stopped.commit([roomEvent(ROOM_INTERRUPTED, { participant: null, reason: "interrupted" })]);
  stopped.settle();
  expect(told(stopped).slice(-2)).toEqual([
    "< interrupted",
    'end cancelled {"reason":"interrupted"}',
  ]);
  const lost = played({
    members: [agent("ann")],
    settings: { turn_timeout_ms: 1_000 },
    script: () => ({ isLost: true }),
  });
  for (const ms of [1_000, 60_000]) {
    lost.nowMs += ms;
    lost.settle();
  }
  expect(told(lost).slice(-2)).toEqual(["< timeout", 'end success {"reason":"completed"}']);
});

it("has a run for a discussion in which nobody speaks", () => {
  expect(told(played({ members: [person("eve")] }))).toEqual([
    "run room_1:1:0: msg_1",
    'end success {"reason":"completed"}',
  ]);
});

it("has one speaker after the other in the profile 0.0, each as a step", () => {
  const play = new RoomPlay({
    members: [agent("ann"), agent("ben")],
    settings: { order: "parallel" },
  });
  play.say("eve", "Begin.");
  while ((play.state.discussion?.turns.length ?? 0) < 2) play.stepOnce();
  for (const step of play.steps) if (step.type === "run_turn") play.perform(step);
  for (let index = 0; index < 12; index += 1) {
    for (const name of ["ben", "ann"]) {
      play.sessions.get(name)!.advance();
      play.copy(name);
    }
  }
  play.settle();
  expect(told(play).filter((line) => line.startsWith('"'))).toEqual(['"ben 1"', '"ann 1"']);
  expect(told(play, { profile: "0.0" })).toEqual([
    "run room_1:1:1: msg_1",
    "step ben",
    '"ben 1"',
    "step ben ends",
    "step ann",
    '"ann 1"',
    "step ann ends",
    'end success {"reason":"completed"}',
  ]);
});
