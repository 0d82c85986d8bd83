// A reader of the Java dialect that was cut anywhere: the translator, rebuilt from the reply's rows, goes on the same.
import fc from "fast-check";
import { expect, it } from "vitest";

import { createJavaTranslator } from "../../../protocol/dialects/java-translator.ts";
import type { JavaLogEvent } from "../../../protocol/dialects/to-java-event.ts";
import type { AgentEvent, LoggedEvent } from "../../../protocol/events.ts";
import { parseEvent } from "../../../protocol/parse.ts";
import { runs } from "../../support/breadth.ts";
import { eventsArbitrary } from "../../support/event-arbitraries.ts";

/** Two replies, one after the other. */
const logArbitrary = fc.tuple(eventsArbitrary, eventsArbitrary).map((parts) => {
  const events = parts.flatMap((part, index) => replyOf(`r${index + 1}`, part));
  return events.map((event, index) => ({ ...event, id: `evt_${index + 1}`, seq: index + 1 }));
});

function replyOf(reply_id: string, events: readonly AgentEvent[]): AgentEvent[] {
  const ends = { session_id: "s", name: "A", created_at: "T", reply_id };
  return [
    { ...ends, type: "REPLY_START" },
    ...events.map((event) => ({ ...event, reply_id })),
    { ...ends, type: "REPLY_END" },
  ].map(parseEvent);
}

function translateFrom(log: readonly LoggedEvent[], after: number): JavaLogEvent[] {
  const translator = createJavaTranslator();
  const start = log.findLastIndex(({ type }, index) => type === "REPLY_START" && index <= after);
  for (const row of log.slice(start, after)) translator.translate(row);
  return log.slice(after).flatMap((event) => translator.translate(event));
}

it("gives the same events from every cut as uncut, at least one for each", () => {
  fc.assert(
    fc.property(logArbitrary, (log) => {
      const translator = createJavaTranslator();
      const uncut = log.map((event) => translator.translate(event));
      expect(uncut.every(({ length }) => length > 0)).toBe(true);
      for (let after = 0; after <= log.length; after += 1) {
        expect(JSON.stringify(translateFrom(log, after))).toBe(
          JSON.stringify(uncut.slice(after).flat()),
        );
      }
    }),
    { numRuns: runs(100) },
  );
});
