import { expect, it } from "vitest";

import { AudioPace } from "../../../../model/voice/audio-pace.ts";

it("lets a burst pass, then as much as time allows, and a burst again after a rest", () => {
  const pace = new AudioPace({ burstMs: 1_000, pace: 2 });

  expect([
    pace.spend(400, 10_000),
    pace.spend(600, 10_000),
    pace.spend(200, 10_000),
    pace.spend(200, 10_100),
    // The clock was set back.
    pace.spend(200, 9_000),
    pace.spend(1_000, 60_000),
    pace.spend(2, 60_000),
  ]).toEqual([0, 0, 100, 100, 200, 0, 1]);
});

it("waits no longer than somebody listens", async () => {
  const stopping = new AbortController();
  const pace = new AudioPace({ burstMs: 0, pace: 1 });
  const kept = pace.keep(3_600_000, stopping.signal, () => undefined);
  stopping.abort();

  await kept;
});
