import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { PlaybackClock } from "../../../sdk/voice/playback-clock.ts";
import { runs } from "../../support/breadth.ts";

const LEAD_MS = 50;

function clock(): PlaybackClock {
  return new PlaybackClock({ leadMs: LEAD_MS });
}

describe("the clock of what is played", () => {
  it("puts pieces one behind the other, and begins with a lead", () => {
    const playing = clock();

    const starts = [
      playing.take({ item: 1, ms: 0, durationMs: 100 }, 1_000),
      playing.take({ item: 1, ms: 100, durationMs: 100 }, 1_010),
      playing.take({ item: 2, ms: 0, durationMs: 40 }, 1_020),
    ];

    expect(starts).toEqual([1_050, 1_150, 1_250]);
    expect(playing.isPlaying).toBe(true);
  });

  it("begins with the lead again where nothing is left to play", () => {
    const playing = clock();
    playing.take({ item: 1, ms: 0, durationMs: 100 }, 0);

    expect(playing.take({ item: 1, ms: 100, durationMs: 100 }, 400)).toBe(450);
  });

  it("tells what was heard of each item that has got on, once", () => {
    const playing = clock();
    playing.take({ item: 1, ms: 0, durationMs: 100 }, 0);
    playing.take({ item: 2, ms: 0, durationMs: 100 }, 0);

    const told = [0, 49, 60, 60, 170, 400, 500].map((nowMs) => playing.due(nowMs));

    expect(told).toEqual([
      [],
      [],
      [{ item: 1, ms: 10 }],
      [],
      [
        { item: 1, ms: 100 },
        { item: 2, ms: 20 },
      ],
      [{ item: 2, ms: 100 }],
      [],
    ]);
    expect(playing.isPlaying).toBe(false);
  });

  it("says at a clear what was heard, which may be nothing, and plays no more of the item", () => {
    const playing = clock();
    playing.take({ item: 1, ms: 0, durationMs: 1_000 }, 0);
    playing.take({ item: 2, ms: 0, durationMs: 1_000 }, 0);

    expect(playing.clear(1, 350)).toEqual({ item: 1, ms: 300 });
    expect(playing.clear(2, 360)).toEqual({ item: 2, ms: 0 });
    expect(playing.clear(3, 370)).toEqual({ item: 3, ms: 0 });

    expect(playing.take({ item: 1, ms: 1_000, durationMs: 20 }, 380)).toBe(null);
    expect(playing.isPlaying).toBe(false);
    expect(playing.due(5_000)).toEqual([]);
    expect(playing.take({ item: 4, ms: 0, durationMs: 20 }, 380)).toBe(430);
  });

  it("keeps for the next time what other items have got on when one is cleared", () => {
    const playing = clock();
    playing.take({ item: 1, ms: 0, durationMs: 100 }, 0);
    playing.take({ item: 2, ms: 0, durationMs: 1_000 }, 0);

    expect(playing.items).toEqual([1, 2]);
    expect(playing.clear(2, 200)).toEqual({ item: 2, ms: 50 });
    expect(playing.items).toEqual([1]);
    expect(playing.due(210)).toEqual([{ item: 1, ms: 100 }]);
    expect(playing.clear(2, 220)).toEqual({ item: 2, ms: 50 });
  });

  it("never tells less than before, nor more than was handed over, however pieces come", () => {
    const piece = fc.record({ waitMs: fc.nat(300), durationMs: fc.integer({ min: 1, max: 200 }) });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const playing = clock();
        let [nowMs, handedMs, toldMs] = [0, 0, 0];
        const hear = () => {
          for (const { ms } of playing.due(nowMs)) {
            expect(ms).toBeGreaterThan(toldMs);
            expect(ms).toBeLessThanOrEqual(handedMs);
            toldMs = ms;
          }
        };
        for (const { waitMs, durationMs } of pieces) {
          nowMs += waitMs;
          hear();
          playing.take({ item: 1, ms: handedMs, durationMs }, nowMs);
          handedMs += durationMs;
        }
        nowMs += LEAD_MS + handedMs;
        hear();
        expect(toldMs).toBe(handedMs);
      }),
      { numRuns: runs(200) },
    );
  });
});
