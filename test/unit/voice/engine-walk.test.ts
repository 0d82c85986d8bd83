// Walks of the engine over anything that may happen: see engine-walk.ts.
import { describe, expect, it } from "vitest";

import type { VoiceEffect } from "../../../agent/voice/engine/voice-effect.ts";
import { BROAD, seeds } from "../../support/breadth.ts";
import { EngineWalk } from "./engine-walk.ts";

describe("a client, a provider and a session that do anything at any time", () => {
  it("break no promise of the engine, and nothing is left of them", () => {
    expect(broken(60, 400)).toEqual([]);
  });

  it("get it to do all that it can do", () => {
    const kinds = seeds(60).flatMap((seed) => {
      const walk = new EngineWalk(seed);
      walk.walk(400);
      return walk.play.all.map(kindOf);
    });
    const counts = Object.fromEntries(
      [...new Set(kinds)].toSorted().map((kind) => [kind, kinds.filter((k) => k === kind).length]),
    );

    expect(Object.keys(counts)).toEqual(KINDS);
    expect(Object.entries(counts).filter(([, count]) => count < 5)).toEqual([]);
  });

  it("break none in further walks", BROAD, () => {
    expect(broken(400, 800)).toEqual([]);
  });
});

const KINDS = [
  "begin_reply",
  "interrupt_reply",
  "item_over",
  "place_message",
  "provider append",
  "provider cancel",
  "provider clear",
  "provider close",
  "provider commit",
  "provider delete_item",
  "provider open",
  "provider truncate",
  "said",
  "send audio_clear",
  "send audio_end",
  "send error",
  "send_audio",
  "transcribed",
  "truncate",
];

function kindOf(effect: VoiceEffect): string {
  if (effect.type === "send") return `send ${effect.frame.type}`;
  return effect.type === "provider" ? `provider ${effect.command.type}` : effect.type;
}

function broken(count: number, steps: number) {
  return seeds(count).flatMap((seed) => {
    const walk = new EngineWalk(seed);
    walk.walk(steps);
    return walk.broken.length === 0 ? [] : [{ seed, broken: walk.broken.slice(0, 3) }];
  });
}
