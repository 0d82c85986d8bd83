// Whatever a log holds, the protocol's own client takes its translation, from the start and joined at any point.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { AgUiEvent } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import type { AgentEvent, LoggedEvent } from "../../../protocol/events.ts";
import { parseEvent } from "../../../protocol/parse.ts";
import { runs } from "../../support/breadth.ts";
import { eventArbitrary, eventsArbitrary } from "../../support/event-arbitraries.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { agUiBody, playAgUi } from "../../support/ag-ui-client.ts";
import { verifyAgUi } from "../../support/verify-ag-ui.ts";

const START = { type: "REPLY_START", session_id: "s", reply_id: "r1", name: "A", id: "e" };

const outside = fc.oneof(
  fc.nat(3).map((value) => {
    const patch = [{ op: "add", path: `/k${value}`, value }];
    return { type: "CUSTOM", name: "shared_state_updated", value: { patch, version: 1 } };
  }),
  fc.constant({
    type: "CUSTOM",
    name: "message_added",
    value: { message: { id: "msg_1", role: "user", name: "user", content: [] } },
  }),
  fc.constant({
    ...START,
    reply_id: "r2",
    metadata: { ag_ui_run: { run_id: "run", thread_id: "t" } },
  }),
);

/** Events of two replies and of none, in any order, with the marks of runs here and there. */
const mixedArbitrary: fc.Arbitrary<AgentEvent[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: eventArbitrary },
    {
      weight: 3,
      arbitrary: eventArbitrary.map((event) => {
        const metadata = { ag_ui_run: { run_id: "run-2" }, offered_by: { a: "client" } };
        return parseEvent({ ...event, reply_id: "r2", metadata });
      }),
    },
    { weight: 2, arbitrary: outside.map((event) => parseEvent({ ...event, created_at: "T1" })) },
  ),
  { maxLength: 60, size: "max" },
);

function logOf(events: readonly AgentEvent[]): LoggedEvent[] {
  return [parseEvent({ ...START, created_at: "2026-01-01T00:00:00.000Z" }), ...events].map(
    (event, index) => ({ ...event, seq: index + 1 }),
  );
}

/** The events of a client that joins after the first `cut` events; from the start when that is 0. */
function readFrom(log: readonly LoggedEvent[], cut: number): AgUiEvent[] {
  const translator = sessionTranslator(log);
  for (const event of log.slice(0, cut)) translator.push(event);
  const prelude = translator.join();
  const frames = log.slice(cut).flatMap((event) => translator.push(event));
  return [...prelude, ...[...frames, ...translator.flush()].map(({ event }) => event)];
}

describe("the translation of any events", () => {
  it("is judged by a client that refuses what the protocol forbids", async () => {
    const [started] = readFrom(logOf([]), 0);
    const end = { type: "TEXT_MESSAGE_END", messageId: "b" };
    await expect(playAgUi(agUiBody([started!, end]))).rejects.toThrow(/TEXT_MESSAGE_END/);
    await expect(playAgUi(agUiBody([end]))).rejects.toThrow(/RUN_STARTED/);
  });

  it("is a stream that the client takes", async () => {
    await fc.assert(
      fc.asyncProperty(eventsArbitrary, async (events) => {
        await playAgUi(agUiBody(readFrom(logOf(events), 0)));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("is a stream in the protocol's order, of replies in any disorder, from any point", async () => {
    await fc.assert(
      fc.asyncProperty(mixedArbitrary, async (events) => {
        const log = logOf(events);
        await playAgUi(agUiBody(readFrom(log, 0)));
        for (let cut = 1; cut <= log.length; cut += 7) await verifyAgUi(readFrom(log, cut));
      }),
      { numRuns: runs(300) },
    );
  });

  it("is a stream that the client takes when it joins at any point", async () => {
    await fc.assert(
      fc.asyncProperty(eventsArbitrary, async (events) => {
        const log = logOf(events);
        for (let cut = 1; cut <= log.length; cut += 1) {
          await playAgUi(agUiBody(readFrom(log, cut)));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it("has the same frames whenever a reader comes back", () => {
    fc.assert(
      fc.property(eventsArbitrary, (events) => {
        const log = logOf(events);
        const uncut = sessionTranslator(log);
        const frames = log.flatMap((event) => uncut.push(event));
        const places = frames.map(({ seq, k }) => `${seq}.${k}`);
        expect(new Set(places).size).toBe(places.length);
        expect(frames.toSorted((one, other) => one.seq - other.seq || one.k - other.k)).toEqual(
          frames,
        );
      }),
      { numRuns: runs(1_000) },
    );
  });
});
