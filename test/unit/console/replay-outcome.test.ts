import { expect, test } from "vitest";

import { outcomeOf } from "../../../console/pages/sessions/replay-outcome.ts";

type Outcome = Parameters<typeof outcomeOf>[0];

function replayWith(
  { calls = {}, answers_changed = 0 }: { calls?: object; answers_changed?: number },
  stopped: object | null = null,
): Outcome {
  const summary = { answers_changed, calls: { same: 2, changed: 0, new: 0, gone: 0, ...calls } };
  return { summary, stopped } as Outcome;
}

test.each([
  ["the same", replayWith({})],
  ["with another answer", replayWith({ answers_changed: 1 })],
  ["with other calls", replayWith({ answers_changed: 1, calls: { changed: 1 } })],
  ["with other calls", replayWith({ calls: { new: 1 } })],
  ["with other calls", replayWith({ calls: { gone: 1 } })],
  ["stopped (no recorded result)", replayWith({}, { reason: "no_recorded_result" })],
])("a replay comes out %s", (words, replay) => {
  expect(outcomeOf(replay)).toBe(words);
});
