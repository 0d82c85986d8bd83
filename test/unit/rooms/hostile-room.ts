// Rooms whose machine is hostile: steps that are repeated, lost and late, in every order.
import * as fc from "fast-check";

import { ROOM_INTERRUPTED, roomEvent } from "../../../protocol/rooms/events.ts";
import type { Conduct } from "./play-session.ts";
import { agent, isOutside, person, RoomPlay } from "./room-play.ts";

export const NAMES = ["ann", "ben", "cyd"] as const;

const conduct: fc.Arbitrary<Conduct> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom({}, { text: "@ben and @cyd" }, { text: "@ann" }) },
  fc.constant({ fails: true }),
  fc.constant({ asks: true }),
  fc.constantFrom(
    { calls: "works" } as const,
    { calls: "asks" } as const,
    {
      calls: "nested",
    } as const,
  ),
  fc.constant({ hangs: true }),
  fc.constant({ isLost: true }),
);

export const setup = fc.record({
  order: fc.constantFrom("sequential", "parallel", "mentioned", "moderated"),
  rounds: fc.integer({ min: 1, max: 3 }),
  max_rounds: fc.integer({ min: 1, max: 4 }),
  max_tokens: fc.constantFrom(null, 45),
  conducts: fc.array(conduct, { minLength: 1, maxLength: 12 }),
  isAwaited: fc.boolean(),
});

type Setup = typeof setup extends fc.Arbitrary<infer Given> ? Given : never;

export const moves = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ type: fc.constant("step"), at: fc.nat(5) }) },
    { weight: 8, arbitrary: fc.record({ type: fc.constant("advance"), at: fc.nat(3) }) },
    { weight: 8, arbitrary: fc.record({ type: fc.constant("copy"), at: fc.nat(3) }) },
    { weight: 6, arbitrary: fc.record({ type: fc.constant("go"), at: fc.nat(20) }) },
    { weight: 6, arbitrary: fc.record({ type: fc.constant("mix"), at: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant("repeat"), at: fc.nat(5) }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant("crash"), at: fc.constant(0) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("say"), at: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("interrupt"), at: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("time"), at: fc.nat(40_000) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("answer"), at: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("want"), at: fc.nat(2) }) },
  ),
  { minLength: 10, maxLength: 120, size: "max" },
);

export function open({ order, conducts, isAwaited, ...settings }: Setup): RoomPlay {
  return new RoomPlay({
    members: [...NAMES.map(agent), person("eve", isAwaited, 20_000)],
    settings: { ...settings, order, turn_timeout_ms: 30_000, max_ms: 200_000 },
    announcement: "Be kind.",
    script: (name, count) => {
      const given =
        conducts[(count * 5 + name.length + name.charCodeAt(0)) % conducts.length] ?? {};
      const next = ["ann", "cyd", null, "eve", "ben"][(count + conducts.length) % 5];
      return name === "moderator" ? { ...given, output: { next } } : given;
    },
  });
}

export function move(play: RoomPlay, type: string, at: number): void {
  const names = [...play.sessions.keys()];
  const name = names[at % names.length] ?? "ann";
  const { steps } = play;
  const step = steps[at % Math.max(steps.length, 1)];
  switch (type) {
    case "step":
      // Steps of the log are committed in their order, steps of sessions are made at any time.
      if (step && isOutside(step)) play.perform(step);
      else {
        const first = steps.find((due) => !isOutside(due));
        if (first && !isOutside(first)) play.take(first);
      }
      return;
    case "go":
      for (let count = 0; count < at; count += 1) play.stepOnce();
      return;
    case "mix":
      for (let count = 0; count < at; count += 1) {
        const other = names[(at * 7 + count * 3) % names.length] ?? "ann";
        if (count % 2 === 0) play.sessions.get(other)?.advance();
        else play.copy(other);
      }
      return;
    case "repeat":
      for (const due of steps) if (isOutside(due)) play.perform(due, false);
      return;
    case "advance":
      play.sessions.get(name)?.advance();
      return;
    case "copy":
      play.copy(name);
      return;
    case "crash":
      play.crash();
      return;
    case "say":
      say(play, at);
      return;
    case "interrupt": {
      if (at > 3) return;
      const participant = at === 3 ? null : (NAMES[at] ?? null);
      play.commit([roomEvent(ROOM_INTERRUPTED, { participant, reason: "interrupted" })]);
      return;
    }
    case "time":
      play.nowMs += at;
      return;
    case "answer":
      play.sessions.get(NAMES[at] ?? "ann")?.answer();
      return;
    case "want":
      play.commit([
        { type: "CUSTOM", name: "room_turn_wanted", value: { participant: NAMES[at] } },
      ]);
  }
}

function say(play: RoomPlay, at: number): void {
  const turn = play.state.discussion?.turns.find(({ kind }) => kind === "person");
  if (turn && at > 2) play.say("eve", "My turn.", { turn_id: turn.turn_id, mentions: ["cyd"] });
  else play.say("eve", "Say.", { interrupts: at === 0, mentions: at === 1 ? ["ben"] : [] });
}

/** A room after all of its moves. */
export const hostileRoom = fc.tuple(setup, moves).map(([given, made]) => {
  const play = open(given);
  play.say("eve", "Begin.", { mentions: ["ann", "ben"] });
  for (const { type, at } of made) move(play, type, at);
  return play;
});
