// The floor of a room that speaks, without clocks, sockets or sessions.
import { describe, expect, it } from "vitest";

import { advanceFloor } from "../../../agent/rooms/floor/advance-floor.ts";
import type { FloorEffect, FloorInput } from "../../../agent/rooms/floor/floor-input.ts";
import { isTaken, openFloor } from "../../../agent/rooms/floor/floor-state.ts";
import {
  CLEARED_ANSWER_MS,
  CUT_SETTLED_MS,
  LATE_PLAYER_MS,
  LATE_SPEECH_MS,
} from "../../../agent/rooms/floor/limits.ts";

type Input = FloorInput extends infer One
  ? One extends { readonly now: number }
    ? Omit<One, "now">
    : never
  : never;

/** A floor with Mia and Tom, which says in lines what is to be done. */
function openPlay(people = ["Mia", "Tom"]) {
  let now = 1_000;
  let state = openFloor();
  const play = {
    get isTaken() {
      return isTaken(state);
    },
    pass(ms: number) {
      now += ms;
      return play.tell({ type: "tick" });
    },
    tell(input: Input): readonly string[] {
      const step = advanceFloor(state, { ...input, now } as FloorInput);
      state = step.state;
      return step.effects.flatMap(lineOf);
    },
    /** An item of an agent, with so many milliseconds. */
    say(participant: string, agent_item: number, ms: number) {
      const reply_id = `rep_${participant}`;
      play.tell({ type: "reply_began", participant, reply_id });
      play.tell({ type: "item_began", participant, agent_item, reply_id });
      play.tell({ type: "audio", participant, agent_item, ms });
    },
  };
  for (const participant of people) play.tell({ type: "joined", participant });
  return play;
}

function lineOf(effect: FloorEffect): readonly string[] {
  switch (effect.type) {
    case "send": {
      const { type, ...members } = effect.frame;
      const to = effect.to === null ? "all" : effect.to;
      return [`to ${to}: ${type} ${Object.values(members).join(" ")}`];
    }
    case "send_audio":
      return [`audio of ${effect.item} from ${effect.ms}`];
    case "tell_agent": {
      const { type, ...members } = effect.frame;
      return [
        `to the session of ${effect.participant}: ${[type, ...Object.values(members)].join(" ")}`,
      ];
    }
    case "schedule":
      return [];
    default:
      return [effect.type];
  }
}

describe("an agent that is heard", () => {
  it("has numbers of the room, and holds the floor until all of it is played", () => {
    const play = openPlay();
    play.tell({ type: "reply_began", participant: "ann", reply_id: "rep_1" });
    const item = { participant: "ann", agent_item: 7 };

    expect(play.tell({ type: "item_began", ...item, reply_id: "rep_1" })).toEqual([
      "to all: item 1 ann rep_1",
    ]);
    expect(play.tell({ type: "audio", ...item, ms: 100 })).toEqual(["audio of 1 from 0"]);
    expect(play.tell({ type: "audio", ...item, ms: 400 })).toEqual(["audio of 1 from 100"]);
    expect(play.tell({ type: "audio_ended", ...item })).toEqual(["to all: audio_end 1 500"]);
    expect(play.tell({ type: "reply_said", participant: "ann", reply_id: "rep_1" })).toEqual([]);
    expect(play.isTaken).toBe(true);
    expect(play.tell({ type: "played", participant: "Mia", item: 1, ms: 500 })).toEqual([
      "to the session of ann: played 7 500",
      "freed",
    ]);
  });

  it("is taken to be played at once where nobody says what was played", () => {
    const play = openPlay();
    play.say("ann", 1, 500);
    play.tell({ type: "audio_ended", participant: "ann", agent_item: 1 });
    play.tell({ type: "reply_said", participant: "ann", reply_id: "rep_ann" });

    expect(play.pass(499)).toEqual([]);
    expect(play.pass(1)).toEqual(["freed"]);
  });

  it("is waited for by a loudspeaker that was paused, for a while", () => {
    const play = openPlay();
    play.say("ann", 1, 500);
    play.tell({ type: "played", participant: "Mia", item: 1, ms: 100 });
    play.tell({ type: "audio_ended", participant: "ann", agent_item: 1 });
    play.tell({ type: "reply_said", participant: "ann", reply_id: "rep_ann" });

    expect(play.pass(500 + LATE_PLAYER_MS - 1)).toEqual([]);
    expect(play.pass(1)).toEqual(["freed"]);
  });

  it("tells its session the most that anybody has played, and not each word of everybody", () => {
    const play = openPlay();
    play.say("ann", 1, 9_000);
    const told = [100, 120, 140, 160].map((ms, index) =>
      play.tell({ type: "played", participant: index % 2 ? "Mia" : "Tom", item: 1, ms }),
    );

    expect(told).toEqual([["to the session of ann: played 1 100"], [], [], []]);
    expect(play.pass(200)).toEqual(["to the session of ann: played 1 160"]);
  });

  it("is announced to somebody who joins in the middle", () => {
    const play = openPlay(["Mia"]);
    play.say("ann", 1, 500);

    expect(play.tell({ type: "joined", participant: "Tom" })).toEqual([
      "to Tom: item 1 ann rep_ann",
    ]);
  });

  it("frees the floor when its connection is lost, and what came of it is heard", () => {
    const play = openPlay();
    play.say("ann", 1, 500);

    expect(play.tell({ type: "agent_lost", participant: "ann" })).toEqual([
      "to all: audio_end 1 500",
    ]);
    expect(play.pass(500)).toEqual(["freed"]);
  });

  it("holds the floor for a while behind its turn, when its session never says that all is said", () => {
    const play = openPlay();
    play.tell({ type: "reply_began", participant: "ann", reply_id: "rep_1" });
    play.tell({ type: "turn_ended", participant: "ann" });

    expect(play.pass(LATE_SPEECH_MS - 1)).toEqual([]);
    expect(play.pass(1)).toEqual(["freed"]);
  });
});

describe("a person who speaks", () => {
  it("cuts off whoever is heard, and what was heard is the largest answer", () => {
    const play = openPlay();
    play.say("ann", 3, 900);
    play.tell({ type: "audio_ended", participant: "ann", agent_item: 3 });
    play.tell({ type: "played", participant: "Mia", item: 1, ms: 100 });

    expect(play.tell({ type: "speech_began", participant: "Mia" })).toEqual([
      "to all: audio_clear 1",
      "to the session of ann: cut_in",
      "interrupt_discussion",
    ]);
    expect(play.tell({ type: "played", participant: "Tom", item: 1, ms: 300 })).toEqual([]);
    expect(play.tell({ type: "played", participant: "Mia", item: 1, ms: 200 })).toEqual([
      "to the session of ann: played 3 300",
    ]);
    play.tell({ type: "speech_ended", participant: "Mia", is_written: true });
    play.tell({ type: "cut_settled", participant: "ann" });
    expect(play.isTaken).toBe(true);
    expect(play.tell({ type: "speech_settled", participant: "Mia" })).toEqual(["freed"]);
  });

  it("is not held up by people who never say what they have played", () => {
    const play = openPlay();
    play.say("ann", 3, 900);
    play.tell({ type: "played", participant: "Mia", item: 1, ms: 100 });
    play.tell({ type: "speech_began", participant: "Mia" });

    expect(play.pass(CLEARED_ANSWER_MS)).toEqual(["to the session of ann: played 3 100"]);
    play.tell({ type: "speech_ended", participant: "Mia", is_written: false });
    expect(play.pass(CUT_SETTLED_MS)).toEqual(["freed"]);
  });

  it("hears nothing more of what was cut off, however late it comes", () => {
    const play = openPlay();
    play.say("ann", 3, 900);
    play.tell({ type: "speech_began", participant: "Mia" });
    const late = { participant: "ann", reply_id: "rep_ann" };

    expect(play.tell({ type: "audio", participant: "ann", agent_item: 3, ms: 100 })).toEqual([]);
    expect(play.tell({ type: "item_began", ...late, agent_item: 4 })).toEqual([]);
    expect(play.tell({ type: "reply_began", ...late })).toEqual([]);
    expect(play.tell({ type: "audio_cleared", participant: "ann", agent_item: 3 })).toEqual([]);
  });

  it("hears a reply again that goes on behind the cut, as one that has waited", () => {
    const play = openPlay();
    play.say("ann", 3, 900);
    play.tell({ type: "speech_began", participant: "Mia" });
    play.tell({ type: "speech_ended", participant: "Mia", is_written: false });
    play.tell({ type: "cut_over", participant: "ann" });
    const next = { participant: "ann", agent_item: 4, reply_id: "rep_ann" };

    expect(play.tell({ type: "item_began", ...next })).toEqual(["to all: item 2 ann rep_ann"]);
  });

  it("has the floor alone: another one is told so once", () => {
    const play = openPlay();
    play.tell({ type: "speech_began", participant: "Mia" });
    const refused = { type: "refused_audio", participant: "Tom" } as const;

    expect([play.tell(refused), play.tell(refused)]).toEqual([["to Tom: floor_taken Mia"], []]);
    expect(play.tell({ type: "speech_began", participant: "Tom" })).toEqual([]);
    expect(play.tell({ type: "left", participant: "Mia" })).toEqual(["freed"]);
  });

  it("goes before a reply that begins to be said meanwhile", () => {
    const play = openPlay();
    play.tell({ type: "speech_began", participant: "Mia" });

    expect(play.tell({ type: "reply_began", participant: "ann", reply_id: "rep_1" })).toEqual([
      "to the session of ann: cut_in",
    ]);
  });
});

describe("the floor of nobody", () => {
  it("is free: what agents say is text", () => {
    const play = openPlay(["Mia"]);
    play.say("ann", 1, 500);
    play.tell({ type: "left", participant: "Mia" });
    const effects = play.tell({ type: "agent_lost", participant: "ann" });

    expect(effects).toEqual(["freed"]);
    expect(
      play.tell({ type: "item_began", participant: "ann", agent_item: 2, reply_id: "r" }),
    ).toEqual([]);
  });
});
