// The playground's list of events: each once, in order, and only what is new is looked at.
import { expect, test } from "vitest";

import { EventLog } from "../../../console/pages/playground/event-log.ts";
import { FilteredEvents } from "../../../console/pages/playground/panel/filtered-events.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";

function event(seq: number, type = "TEXT_BLOCK_DELTA"): LoggedEvent {
  return { seq, type } as LoggedEvent;
}

test("events are kept once and in order, with the earlier ones in front", () => {
  const log = new EventLog();
  for (const seq of [5, 6, 6, 5, 7]) log.take(event(seq));
  log.putInFront([1, 2, 3, 4, 5, 6].map((seq) => event(seq)));
  log.take(event(8));

  expect(log.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect([log.firstSeq, log.lastSeq]).toEqual([1, 8]);
  expect([log.countBetween(2, 7), log.countBetween(8, 9), log.countBetween(0, 3)]).toEqual([
    5, 0, 3,
  ]);
});

test("a filter shows what fits of a log that grows, and of one that has got earlier events", () => {
  const log = new EventLog();
  const filtered = new FilteredEvents({ type: "REPLY", hasDeltas: false });
  const shown = () => filtered.of(log.events).map(({ seq }) => seq);
  log.take(event(3, "REPLY_START"));
  log.take(event(4));
  expect(shown()).toEqual([3]);
  log.take(event(5, "REPLY_END"));
  expect(shown()).toEqual([3, 5]);
  log.putInFront([event(1, "REPLY_END"), event(2, "CUSTOM")]);
  expect(shown()).toEqual([1, 3, 5]);

  const whole = new FilteredEvents({ type: "", hasDeltas: true });
  expect(whole.of(log.events)).toHaveLength(5);
});
