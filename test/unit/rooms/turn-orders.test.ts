// Turns of a room in each order, with what each turn is told.
import { describe, expect, it } from "vitest";

import { agent, person, RoomPlay } from "./room-play.ts";

const THREE = [agent("ann"), agent("ben"), agent("cyd")];

/** Speakers and ids of what was new to each turn of a session, in order. */
function inputs(play: RoomPlay, name: string): readonly (readonly string[])[] {
  return [...(play.sessions.get(name)?.turns.values() ?? [])].map(({ input }) => input);
}

describe("one after the other", () => {
  it("gives each a turn a round, which is told all that was said before it", () => {
    const play = new RoomPlay({ members: [...THREE, person("eve")], settings: { rounds: 2 } });
    play.say("eve", "Begin.");
    play.settle();
    expect(play.story).toEqual([
      "eve says",
      "discussion 1",
      "round 1: ann ben cyd",
      ...["ann", "ben", "cyd"].flatMap((name) => [`> ${name}`, `< ${name} completed`]),
      "round 2: ann ben cyd",
      ...["ann", "ben", "cyd"].flatMap((name) => [`> ${name}`, `< ${name} completed`]),
      "end: completed",
    ]);
    expect(inputs(play, "ann")).toEqual([["msg_1"], ["rep_ben_1", "rep_cyd_1"]]);
    expect(inputs(play, "ben")).toEqual([
      ["msg_1", "rep_ann_1"],
      ["rep_cyd_1", "rep_ann_2"],
    ]);
    expect(inputs(play, "cyd")).toEqual([
      ["msg_1", "rep_ann_1", "rep_ben_1"],
      ["rep_ann_2", "rep_ben_2"],
    ]);
    // The rest is delivered when the discussion has ended.
    expect(play.sessions.get("ann")?.known.map(({ id }) => id)).toEqual([
      "msg_1",
      "rep_ben_1",
      "rep_cyd_1",
      "rep_ben_2",
      "rep_cyd_2",
    ]);
    expect(play.steps).toEqual([]);
  });

  it("tells the words alone, under the speaker's name", () => {
    const play = new RoomPlay({ members: THREE.slice(0, 2) });
    play.say("eve", "Begin.", { participant: null });
    play.settle();
    expect(
      play.sessions.get("ben")?.known.map(({ name, role, content }) => ({
        name,
        role,
        texts: content.map((block) => (block.type === "text" ? block.text : block.type)),
      })),
    ).toEqual([
      { name: "room", role: "user", texts: ["Begin."] },
      { name: "ann", role: "user", texts: ["ann 1"] },
    ]);
  });

  it("waits for an awaited person, and goes on with the answer", () => {
    const play = new RoomPlay({ members: [agent("ann"), person("eve", true), agent("ben")] });
    play.say("dan", "Begin.");
    play.settle();
    const [turn] = play.state.discussion?.turns ?? [];
    expect(turn).toMatchObject({ participant: "eve", kind: "person" });
    play.say("eve", "Yes.", { turn_id: turn!.turn_id });
    play.settle();
    expect(play.story.slice(-5)).toEqual([
      "eve says",
      "< eve completed",
      "> ben",
      "< ben completed",
      "end: completed",
    ]);
    expect(inputs(play, "ben")).toEqual([["msg_1", "rep_ann_1", expect.stringMatching(/^msg_/)]]);
  });

  it("has a new discussion for a message of its last round, and none for one of an earlier round", () => {
    const play = new RoomPlay({ members: THREE.slice(0, 2), settings: { rounds: 2 } });
    play.say("eve", "One.");
    while (play.state.discussion?.turns.length !== 1) play.stepOnce();
    play.say("eve", "Two.");
    play.settle();
    expect(play.story.filter((line) => line.startsWith("discussion"))).toEqual(["discussion 1"]);
    play.say("eve", "Three.");
    while (play.state.discussion?.round?.round !== 2) play.stepOnce();
    play.say("eve", "Four.");
    play.settle();
    expect(play.story.filter((line) => line.startsWith("discussion")).length).toBe(3);
  });
});

describe("in parallel", () => {
  it("tells all the same, and each other's words when the round has ended, in the order of their ends", () => {
    const play = new RoomPlay({ members: THREE, settings: { order: "parallel", rounds: 2 } });
    play.say("eve", "Begin.");
    while ((play.state.discussion?.turns.length ?? 0) < 3) play.stepOnce();
    for (const step of play.steps) if (step.type === "run_turn") play.perform(step);
    // The last one is the first to end.
    for (const name of ["cyd", "ann", "ben"]) {
      while (play.sessions.get(name)!.advance()) {}
      while (play.copy(name)) {}
    }
    play.settle();
    expect(["ann", "ben", "cyd"].map((name) => inputs(play, name))).toEqual([
      [["msg_1"], ["rep_cyd_1", "rep_ben_1"]],
      [["msg_1"], ["rep_cyd_1", "rep_ann_1"]],
      [["msg_1"], ["rep_ann_1", "rep_ben_1"]],
    ]);
  });

  it("goes on with the others while one waits for a person", () => {
    const play = new RoomPlay({
      members: THREE,
      settings: { order: "parallel" },
      script: (name) => ({ asks: name === "ben" }),
    });
    play.say("eve", "Begin.");
    play.settle();
    expect(play.state.discussion?.turns.map(({ participant }) => participant)).toEqual(["ben"]);
    expect(
      play.state.pending.map(({ participant, reply_id, kind }) => [participant, reply_id, kind]),
    ).toEqual([["ben", "rep_ben_1", "permission"]]);
    play.sessions.get("ben")!.answer();
    play.settle();
    expect(play.state.pending).toEqual([]);
    expect(play.story.at(-1)).toBe("end: completed");
  });
});

describe("by mention", () => {
  it("gives a turn to those whom a message names, then to those whom they name", () => {
    const play = new RoomPlay({
      members: THREE,
      settings: { order: "mentioned" },
      script: (name) => ({ text: name === "ben" ? "I ask @cyd and @ben." : "That is all." }),
    });
    play.say("eve", "What do you think?", { mentions: ["ben"] });
    play.settle();
    expect(play.story).toEqual([
      "eve says",
      "discussion 1",
      "round 1: ben",
      "> ben",
      "< ben completed",
      "round 2: cyd",
      "> cyd",
      "< cyd completed",
      "end: completed",
    ]);
    expect(play.sessions.get("ann")?.known.map(({ id }) => id)).toEqual([
      "msg_1",
      "rep_ben_1",
      "rep_cyd_1",
    ]);
  });

  it("ends when nobody is named, and by its bound when they never stop", () => {
    const play = new RoomPlay({
      members: THREE.slice(0, 2),
      settings: { order: "mentioned", max_rounds: 3 },
      script: (name) => ({ text: name === "ann" ? "@ben" : "@ann" }),
    });
    play.say("eve", "Hm.");
    play.settle();
    expect(play.story).toEqual(["eve says", "discussion 1", "end: completed"]);
    play.say("eve", "Well?", { mentions: ["ann", "nobody"] });
    play.settle();
    expect(play.story.filter((line) => /^(round|end)/.test(line)).slice(1)).toEqual([
      "round 1: ann",
      "round 2: ben",
      "round 3: ann",
      "end: max_rounds",
    ]);
  });
});

describe("by a moderator", () => {
  const pick = (...names: readonly (string | null)[]) => {
    return (name: string, count: number) =>
      name === "moderator" ? { output: { next: names[count] ?? null } } : {};
  };

  it("gives a turn to whom it names, until it names nobody", () => {
    const play = new RoomPlay({
      members: THREE,
      settings: { order: "moderated" },
      script: pick("cyd", "ann", null),
    });
    play.say("eve", "Begin.");
    play.settle();
    expect(play.story).toEqual([
      "eve says",
      "discussion 1",
      "round 1: ",
      "> moderator",
      "< moderator completed",
      "> cyd",
      "< cyd completed",
      "round 2: ",
      "> moderator",
      "< moderator completed",
      "> ann",
      "< ann completed",
      "round 3: ",
      "> moderator",
      "< moderator completed",
      "end: completed",
    ]);
    expect(inputs(play, "moderator")).toEqual([["msg_1"], ["rep_cyd_1"], ["rep_ann_1"]]);
    // Its own words are for the room.
    expect(play.sessions.get("ben")?.known.map(({ name }) => name)).toEqual(["eve", "cyd", "ann"]);
  });

  it.each([
    ["names somebody who is not there", pick("zoe")],
    ["fails", (name: string) => ({ fails: name === "moderator" })],
    ["names nobody in its output", () => ({ output: { other: 1 } })],
  ])("ends by name when it %s", (_, script) => {
    const play = new RoomPlay({ members: THREE, settings: { order: "moderated" }, script });
    play.say("eve", "Begin.");
    play.settle();
    expect(play.story.at(-1)).toBe("end: moderator_failed");
  });
});
