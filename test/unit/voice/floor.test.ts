// The floor of several voice connections: who is heard, who is told that they are not, and whose place is taken.
import { describe, expect, it } from "vitest";

import {
  advanceFloor,
  type FloorEffect,
  type FloorInput,
} from "../../../agent/voice/floor/advance-floor.ts";
import { EMPTY_FLOOR, floorDueMs } from "../../../agent/voice/floor/floor-state.ts";
import { deepFreeze } from "../../support/deep-freeze.ts";

type Told = FloorInput extends infer One ? (One extends unknown ? Omit<One, "now"> : never) : never;

class Floor {
  state = deepFreeze(EMPTY_FLOOR);
  now = 1_000;
  isTurnOpen = false;
  #most: number;

  constructor(most = 4) {
    this.#most = most;
  }

  tell(input: Told): { readonly effects: readonly FloorEffect[]; readonly passes: boolean } {
    const step = advanceFloor(
      this.state,
      { ...input, now: this.now } as FloorInput,
      this.isTurnOpen,
    );
    this.state = deepFreeze(step.state);
    return { effects: step.effects, passes: step.passes };
  }

  join(id: number, actor = `user ${id}`, turns: "server" | "manual" = "server") {
    return this.tell({ type: "joined", id, actor, turns, ends_ms: 3_600_000, most: this.#most });
  }

  /** Somebody speaks, or is silent, for a tenth of a second. */
  hear(id: number, is_speech = true) {
    return this.tell({ type: "audio", id, ms: 100, is_speech });
  }
}

/** The effects, in a word each. */
function words(effects: readonly FloorEffect[]): readonly string[] {
  return effects.map((effect) =>
    effect.type === "engine"
      ? effect.input.type
      : `${effect.type} ${effect.id} ${effect.code}${effect.ref ?? ""}`,
  );
}

describe("of several connections", () => {
  it("one that is alone is heard, silence too", () => {
    const floor = new Floor();
    const joined = floor.join(1);

    expect([joined.effects, floor.hear(1, false), floor.hear(1)]).toEqual([
      [{ type: "engine", input: { type: "client_opened", turns: "server", from: 1 } }],
      { effects: [], passes: true },
      { effects: [], passes: true },
    ]);
  });

  it("another one is heard as soon as it speaks, where nobody does", () => {
    const floor = new Floor();
    floor.join(1);
    floor.join(2);

    expect([floor.hear(2, false).passes, floor.hear(2), floor.hear(1, false).passes]).toEqual([
      false,
      {
        effects: [{ type: "engine", input: { type: "speaker_changed", turns: "server", from: 2 } }],
        passes: true,
      },
      false,
    ]);
  });

  it.each<[name: string, meanwhile: (floor: Floor) => void]>([
    ["while the speaker speaks", (floor) => floor.hear(1)],
    [
      "while the speaker's turn has no answer",
      (floor) => {
        floor.now += 60_000;
        floor.isTurnOpen = true;
      },
    ],
    ["a moment behind the speaker's last word", (floor) => (floor.now += 999)],
  ])("another one is not heard %s, and is told once of what it says", (_, meanwhile) => {
    const floor = new Floor();
    floor.join(1);
    floor.join(2);
    floor.hear(1);
    meanwhile(floor);
    const refused = [floor.hear(2), floor.hear(2)];
    floor.isTurnOpen = false;
    floor.now += 2_000;
    const rest = floor.hear(2);
    floor.hear(2, false);

    expect([refused.map(({ effects }) => words(effects)), rest.passes]).toEqual([
      [["refuse 2 floor_taken"], []],
      false,
    ]);
    // The next thing that it says is heard.
    expect(floor.hear(2).passes).toBe(true);
  });

  it("one that ends its turns by hand keeps the floor until it does, or is silent for long", () => {
    const floor = new Floor();
    floor.join(1, "a", "manual");
    floor.join(2, "b", "manual");
    floor.hear(1, false);
    floor.now += 9_999;
    const early = floor.hear(2, false);
    const ended = floor.tell({ type: "commit", id: 2, ref: "c" });
    floor.now += 1;
    const late = floor.hear(2, false);

    expect([early, ended, late].map(({ effects }) => words(effects))).toEqual([
      ["refuse 2 floor_taken"],
      ["refuse 2 floor_takenc"],
      ["clear", "speaker_changed"],
    ]);
    expect([early.passes, ended.passes, late.passes]).toEqual([false, false, true]);
  });

  it("another one may speak when a turn was ended by hand", () => {
    const floor = new Floor();
    floor.join(1, "a", "manual");
    floor.join(2, "b", "manual");
    floor.hear(1);
    const ended = floor.tell({ type: "commit", id: 1 });

    expect([ended.passes, words(floor.hear(2).effects)]).toEqual([true, ["speaker_changed"]]);
  });

  it("each may write and interrupt, whoever speaks", () => {
    const floor = new Floor();
    floor.join(1);
    floor.join(2);
    floor.hear(1);

    expect(floor.tell({ type: "frame", id: 2 })).toEqual({ effects: [], passes: true });
  });

  it("what the speaker said is forgotten when it goes, and one that is alone has the floor", () => {
    const floor = new Floor();
    for (const id of [1, 2, 3]) floor.join(id);
    floor.hear(1);
    const left = [1, 2, 3].map((id) => words(floor.tell({ type: "left", id }).effects));

    expect(left).toEqual([["clear"], ["speaker_changed"], ["client_closed"]]);
  });
});

describe("a connection too many takes the place", () => {
  it("of the one before, where there is one", () => {
    const floor = new Floor(1);
    floor.join(1);

    expect(words(floor.join(2).effects)).toEqual([
      "close 1 voice_connected",
      "client_closed",
      "client_opened",
    ]);
  });

  it("of its actor's oldest, else of the oldest", () => {
    const closed = ["b", "d"].map((actor) => {
      const floor = new Floor(3);
      floor.join(1, "a");
      floor.join(2, "b");
      floor.join(3, "b");
      return words(floor.join(4, actor).effects);
    });

    expect(closed).toEqual([["close 2 voice_connected"], ["close 1 voice_connected", "clear"]]);
  });
});

describe("a connection", () => {
  it("may send what it has spoken while it was away, and is closed for more", () => {
    const floor = new Floor();
    floor.join(1);
    const burst = Array.from({ length: 100 }, () => floor.hear(1).effects);

    expect([burst.flat(), words(floor.hear(1).effects)]).toEqual([
      [],
      ["close 1 too_much_audio", "client_closed"],
    ]);
  });

  it("may speak for an hour, by a clock that is a little fast", () => {
    const floor = new Floor();
    floor.join(1);
    const effects = Array.from({ length: 36_000 }, () => {
      floor.now += 99;
      return floor.hear(1).effects;
    });

    expect(effects.flat()).toEqual([]);
  });

  it("is closed for a flood of frames without audio, as for one of others", () => {
    const codes = (["audio", "frame", "commit"] as const).map((type) => {
      const floor = new Floor();
      floor.join(1);
      const input: Told =
        type === "audio" ? { type, id: 1, ms: 0, is_speech: false } : { type, id: 1 };
      const effects = Array.from({ length: 6_000 }, () => floor.tell(input).effects).flat();
      return effects.flatMap((effect) => (effect.type === "close" ? [effect.code] : []));
    });

    expect(codes).toEqual([["too_much_audio"], ["rate_limited"], ["rate_limited"]]);
  });

  it("that is not heard is bounded as one that is", () => {
    const floor = new Floor();
    floor.join(1);
    floor.join(2);
    floor.hear(1);
    const closed = Array.from({ length: 200 }, () => floor.hear(2).effects).flat();

    expect(words(closed)).toEqual(["refuse 2 floor_taken", "close 2 too_much_audio"]);
  });

  it("is closed at its end, and the others stay", () => {
    const floor = new Floor();
    floor.tell({ type: "joined", id: 1, actor: "a", turns: "server", ends_ms: 11_000, most: 2 });
    floor.join(2);
    floor.now = 10_999;
    const early = floor.tell({ type: "tick" }).effects;
    const dueMs = floorDueMs(floor.state);
    floor.now = 11_000;

    expect([early, dueMs, words(floor.tell({ type: "tick" }).effects)]).toEqual([
      [],
      11_000,
      ["close 1 connection_expired", "clear", "speaker_changed"],
    ]);
  });
});
