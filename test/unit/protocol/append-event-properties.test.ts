import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { appendEvent, foldEvents, startMessage } from "../../../protocol/fold/append-event.ts";
import type { AgentEvent } from "../../../protocol/events.ts";
import { MsgSchema, type Msg } from "../../../protocol/messages/messages.ts";
import { parseEvent } from "../../../protocol/parse.ts";
import { runs } from "../../support/breadth.ts";
import { deepFreeze } from "../../support/deep-freeze.ts";
import { eventArbitrary, eventsArbitrary } from "../../support/event-arbitraries.ts";
import { emptyMessage } from "../../support/fold.ts";

const RUNS = { numRuns: runs(400) };

function foldFrom(start: Msg, events: readonly AgentEvent[]): Msg {
  return events.reduce((message, event) => appendEvent(message, event), start);
}

function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

describe("appendEvent", () => {
  it("gives the same bytes from every cut: the message at the cut, as JSON, and the events after it", () => {
    fc.assert(
      fc.property(eventsArbitrary, (events) => {
        const uncut = JSON.stringify(foldFrom(emptyMessageAt("T0"), events));
        for (let cut = 0; cut <= events.length; cut += 1) {
          const atCut = throughJson(foldFrom(emptyMessageAt("T0"), events.slice(0, cut)));
          const rest = throughJson(events.slice(cut));

          expect(JSON.stringify(foldFrom(atCut, rest))).toBe(uncut);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it("changes neither the message nor the event", () => {
    fc.assert(
      fc.property(eventsArbitrary, (events) => {
        let message = deepFreeze(emptyMessage());
        for (const event of events) message = deepFreeze(appendEvent(message, deepFreeze(event)));
      }),
      RUNS,
    );
  });

  it("gives back the same message for events of another reply", () => {
    fc.assert(
      fc.property(eventsArbitrary, eventArbitrary, (events, event) => {
        const message = { ...foldFrom(emptyMessage(), events), id: "r2" };

        expect(appendEvent(message, event)).toBe(message);
      }),
      RUNS,
    );
  });

  it("makes messages that the schema takes as they are, in its order of keys", () => {
    fc.assert(
      fc.property(eventsArbitrary, (events) => {
        const message = foldFrom(emptyMessage(), events);

        expect(JSON.stringify(MsgSchema.parse(message))).toBe(JSON.stringify(message));
      }),
      RUNS,
    );
  });

  it("shares the blocks that an event does not touch", () => {
    fc.assert(
      fc.property(eventsArbitrary, fc.constantFrom("x", "y"), (events, delta) => {
        const before = foldFrom(emptyMessage(), events);
        const event = { type: "TEXT_BLOCK_DELTA", reply_id: "r1", block_id: "a", delta };
        const after = appendEvent(before, parseEvent(event));
        const changed = after.content.filter((block, index) => block !== before.content[index]);

        expect(changed).toHaveLength(after === before ? 0 : 1);
      }),
      RUNS,
    );
  });

  it("joins the deltas of a long text in their order", () => {
    const block = { reply_id: "r1", block_id: "b", created_at: "T" };
    const words = Array.from({ length: 2_000 }, (_, index) => `${index} `);
    const deltas = words.map((delta) => parseEvent({ type: "TEXT_BLOCK_DELTA", ...block, delta }));
    const events = [parseEvent({ type: "TEXT_BLOCK_START", ...block }), ...deltas];

    expect(foldFrom(emptyMessage(), events).content).toEqual([
      { type: "text", text: words.join(""), id: "b", created_at: "T", finished_at: null },
    ]);
  });
});

describe("foldEvents", () => {
  const started = parseEvent({
    type: "REPLY_START",
    reply_id: "r1",
    session_id: "s",
    name: "A",
    created_at: "T0",
    metadata: { trace: 1 },
  });

  it("starts the message with REPLY_START", () => {
    expect(foldEvents([started])).toEqual(emptyMessageAt("T0"));
  });

  it("is null without a start", () => {
    fc.assert(fc.property(eventsArbitrary, (events) => foldEvents(events) === null));
  });

  it("keeps to the first reply", () => {
    const second = { ...started, reply_id: "r2" } as AgentEvent;
    const text = parseEvent({ type: "TEXT_BLOCK_START", reply_id: "r2", block_id: "b" });

    expect(foldEvents([started, second, text])).toEqual(emptyMessageAt("T0"));
  });

  it("is startMessage and then appendEvent", () => {
    fc.assert(
      fc.property(eventsArbitrary, (events) => {
        const start = startMessage(started as Parameters<typeof startMessage>[0]);

        expect(foldEvents([started, ...events])).toEqual(foldFrom(start, events));
      }),
      RUNS,
    );
  });
});

function emptyMessageAt(created_at: string): Msg {
  return { ...emptyMessage(), created_at };
}
