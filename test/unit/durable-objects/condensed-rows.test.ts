// Rows whose deltas are condensed are, for a reader with any cursor, exactly the text that it has not seen.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  condensedFrames,
  isCondensed,
} from "../../../durable-objects/log/condensed/condensed-row.ts";
import {
  chooseRowChanges,
  type LogRow,
} from "../../../durable-objects/log/condensed/choose-row-changes.ts";
import { framesAfter, frameTexts } from "../../../durable-objects/log/frame-bytes.ts";
import { encodeFrames, packFrames } from "../../../durable-objects/log/pack-frames.ts";
import { prepareEvent } from "../../../durable-objects/log/prepared-event.ts";
import { unpackFrames } from "../../../durable-objects/log/unpack-frames.ts";
import { firstSeqOf } from "../../../protocol/fold/condensed-delta.ts";
import { AgUiTranslator } from "../../../protocol/dialects/ag-ui/ag-ui-translator.ts";
import type { AgUiEvent } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import { createJavaTranslator } from "../../../protocol/dialects/java-translator.ts";
import type { JavaLogEvent } from "../../../protocol/dialects/to-java-event.ts";
import type { EventDraft, LoggedEvent } from "../../../protocol/events.ts";
import { appendEvent, startMessage } from "../../../protocol/fold/append-event.ts";
import { MAX_JOINED_BYTES } from "../../../protocol/events/limits.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { runs } from "../../support/breadth.ts";

const REPLY = "rep_01m81qscs9aba48sfwwekh2bg6";
const START_MS = Date.parse("2026-11-23T20:00:59.900Z");

type Row = LogRow & { readonly bytes: Uint8Array };

function eventsOf(drafts: readonly EventDraft[], firstSeq = 1): readonly LoggedEvent[] {
  return drafts.map((draft, index) => {
    const at = new Date(START_MS + index * 40).toISOString();
    return prepareEvent(draft, firstSeq + index, at).event;
  });
}

function rowOf(events: readonly LoggedEvent[], isPacked: boolean): Row {
  const frames = events.map((event) => ({
    seq: event.seq,
    text: `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  }));
  return {
    seq: frames.at(-1)?.seq ?? 0,
    bytes: isPacked ? packFrames(frames) : encodeFrames(frames),
  };
}

/** As the object's table reads them. */
function read(rows: readonly Row[], after: number, splitAt = Infinity): readonly LoggedEvent[] {
  return rows
    .filter(({ seq }) => seq > after)
    .flatMap(({ bytes }) => {
      const frames = isCondensed(bytes)
        ? condensedFrames(bytes, { after, splitAt })
        : unpackFrames(bytes);
      return frameTexts(new TextDecoder().decode(framesAfter(frames, after)));
    })
    .map(({ text }) => JSON.parse(text) as LoggedEvent);
}

/** The whole log, in steps of so many rows, as the object does it. */
function condense(stored: readonly Row[], stepRows = Infinity): readonly Row[] {
  let rows = stored;
  let after = 0;
  for (let steps = 0; ; steps += 1) {
    expect(steps).toBeLessThanOrEqual(2 * stored.length);
    const left = rows.filter(({ seq }) => seq > after);
    const taken = left.slice(0, Math.max(2, stepRows));
    const { changes, next } = chooseRowChanges(taken, after, taken.length < left.length);
    for (const change of changes) {
      rows = rows
        .filter(({ seq }) => seq <= change.after || seq >= change.seq)
        .map((row) => (row.seq === change.seq ? change : row));
    }
    if (next === null) return rows;
    after = next;
  }
}

function folded(events: readonly LoggedEvent[], message: Msg | null = null): Msg | null {
  return events.reduce<Msg | null>((before, event) => {
    if (event.type === "REPLY_START") return startMessage(event);
    return before && appendEvent(before, event);
  }, message);
}

/** The run as AG-UI's readers put it together: the text of each message, thought and call, and what else is told. */
function told(frames: readonly AgUiEvent[]): readonly string[] {
  const texts = new Map<string, string>();
  const rest: string[] = [];
  for (const frame of frames) {
    if (!("delta" in frame) || frame.type === "STATE_DELTA") rest.push(JSON.stringify(frame));
    else {
      const id = "messageId" in frame ? frame.messageId : frame.toolCallId;
      const key = `${frame.type} ${id}`;
      texts.set(key, (texts.get(key) ?? "") + frame.delta);
    }
  }
  return [...rest, ...[...texts].map(([key, text]) => `${key}: ${text}`)];
}

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 6 }) },
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom(
    "",
    '"',
    "\\",
    "\n\n",
    '","seq":7}\n\n',
    "\ud83d",
    "\ude42",
    "\u0001",
    "漢字",
    "🙂",
  ),
);
/** With its members in the order of the log. */
function inOrder({ type, ...members }: { readonly type: string }): object {
  return { type, reply_id: REPLY, ...members };
}

const anyDelta = fc.oneof(
  {
    weight: 4,
    arbitrary: anyText.map((delta) => ({ type: "TEXT_BLOCK_DELTA", block_id: "b", delta })),
  },
  anyText.map((delta) => ({ type: "THINKING_BLOCK_DELTA", block_id: "t", delta })),
  anyText.map((delta) => ({ type: "TOOL_CALL_DELTA", tool_call_id: "c", delta })),
  {
    weight: 2,
    arbitrary: anyText.map((delta) => ({
      type: "TOOL_RESULT_TEXT_DELTA",
      tool_call_id: "x",
      delta,
    })),
  },
  {
    weight: 2,
    arbitrary: anyText.map((delta) => ({
      type: "TOOL_RESULT_TEXT_DELTA",
      tool_call_id: "y",
      delta,
    })),
  },
  fc.constant({
    type: "TOOL_RESULT_DATA_DELTA",
    tool_call_id: "x",
    block_id: "d",
    media_type: "image/png",
    data: "aGk=",
    url: null,
  }),
  fc.constant({ type: "CUSTOM", name: "note", value: { note: "between" } }),
);
/** Several of the same kind one after the other, as models write them. */
const anyStretch = fc
  .tuple(anyDelta, fc.array(anyText, { maxLength: 8 }))
  .map(([first, texts]) => [
    first,
    ...("delta" in first ? texts.map((delta) => ({ ...first, delta })) : []),
  ]);
const STARTS = [
  { type: "REPLY_START", session_id: "ses_1", name: "Desk", role: "assistant" },
  { type: "MODEL_CALL_START", model_name: "m" },
  { type: "TEXT_BLOCK_START", block_id: "b" },
  { type: "THINKING_BLOCK_START", block_id: "t" },
  { type: "TOOL_CALL_START", tool_call_id: "c", tool_call_name: "look" },
  { type: "TOOL_RESULT_START", tool_call_id: "x", tool_call_name: "look" },
  { type: "TOOL_RESULT_START", tool_call_id: "y", tool_call_name: "look" },
];
const ENDS = [
  { type: "TEXT_BLOCK_END", block_id: "b", text: null },
  { type: "REPLY_END", session_id: "ses_1", finished_reason: "completed", error: null },
];
/** A reply as stored: rows of any length, packed or of the version before. */
const anyLog = fc
  .record({
    stretches: fc.array(anyStretch, { maxLength: 8 }),
    firstSeq: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 2 ** 40 })),
    cuts: fc.infiniteStream(fc.record({ size: fc.integer({ min: 1, max: 7 }), old: fc.boolean() })),
    stepRows: fc.integer({ min: 2, max: 6 }),
  })
  .map(({ stretches, firstSeq, cuts, stepRows }) => {
    const drafts = [...STARTS, ...stretches.flat(), ...ENDS].map(inOrder);
    const events = eventsOf(drafts as unknown as readonly EventDraft[], firstSeq);
    const rows: Row[] = [];
    for (let start = 0; start < events.length;) {
      const { size, old } = cuts.next().value ?? { size: 1, old: false };
      rows.push(rowOf(events.slice(start, start + size), !old));
      start += size;
    }
    return { events, rows, stepRows };
  });

describe("the log of a reply, condensed", () => {
  it("gives a reader with any cursor the same message as before, and no text twice", () => {
    fc.assert(
      fc.property(anyLog, ({ events, rows, stepRows }) => {
        const condensed = condense(rows, stepRows);
        const whole = folded(events);
        expect(folded(read(condensed, 0))).toEqual(whole);
        for (const { seq } of events) {
          const seen = folded(events.filter((event) => event.seq <= seq));
          const rest = read(condensed, seq);
          expect(rest.every((event) => firstSeqOf(event) > seq)).toBe(true);
          expect(folded(rest, seen)).toEqual(whole);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it("gives a reader that is cut behind any of its own events the rest", () => {
    fc.assert(
      fc.property(anyLog, ({ events, rows, stepRows }) => {
        const condensed = condense(rows, stepRows);
        const shown = read(condensed, 0);
        for (const [index, { seq }] of shown.entries()) {
          const seen = folded(shown.slice(0, index + 1));
          expect(folded(read(condensed, seq), seen)).toEqual(folded(events));
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it("is read in two where a translator is to know the one half, and both halves are the whole", () => {
    fc.assert(
      fc.property(anyLog, fc.nat(), ({ events, rows }, at) => {
        const condensed = condense(rows);
        const { seq } = events[at % events.length] as LoggedEvent;
        const halves = read(condensed, 0, seq);
        const first = halves.filter((event) => event.seq <= seq);
        expect(halves.every((event) => event.seq <= seq || firstSeqOf(event) > seq)).toBe(true);
        expect(folded(first)).toEqual(folded(events.filter((event) => event.seq <= seq)));
        expect(halves.slice(first.length)).toEqual(read(condensed, seq));
      }),
      { numRuns: runs(300) },
    );
  });

  it("is in AG-UI the same texts and the same other frames, for a reader with any cursor", () => {
    fc.assert(
      fc.property(anyLog, fc.nat(), ({ events, rows }, at) => {
        const condensed = condense(rows);
        const { seq } = events[at % events.length] as LoggedEvent;
        const before = new AgUiTranslator({ stateAt: () => ({}), activities: [] });
        const had = events.flatMap((event) => before.push(event));
        const after = new AgUiTranslator({ stateAt: () => ({}), activities: [] });
        const resumed = read(condensed, 0, seq).flatMap((event) => after.push(event));
        const shown = [
          ...had.filter((frame) => frame.seq <= seq),
          ...resumed.filter((frame) => frame.seq > seq),
        ];
        expect(told(shown.map(({ event }) => event))).toEqual(told(had.map(({ event }) => event)));
      }),
      { numRuns: runs(300) },
    );
  });

  it("is in Java's dialect the same texts, and the same end", () => {
    fc.assert(
      fc.property(anyLog, ({ events, rows }) => {
        const text = (all: readonly LoggedEvent[]) => {
          const translator = createJavaTranslator();
          const java = all.flatMap((event) => translator.translate(event));
          const deltas = java.filter((event) => typeof event["delta"] === "string");
          const others = java.filter((event) => typeof event["delta"] !== "string");
          const idOf = (event: JavaLogEvent) => event["blockId"] ?? event["toolCallId"];
          const ids = [...new Set(deltas.map(idOf))];
          const joined = ids.map((id) => {
            const own = deltas.filter((event) => idOf(event) === id);
            return own.map((event) => event["delta"]).join("");
          });
          return { others, joined };
        };
        expect(text(read(condense(rows), 0))).toEqual(text(events));
      }),
      { numRuns: runs(200) },
    );
  });

  it("has one event for deltas that follow each other, with the seq of the last, and says so", () => {
    fc.assert(
      fc.property(anyLog, ({ events, rows, stepRows }) => {
        const shown = read(condense(rows, stepRows), 0);
        for (const [index, event] of shown.entries()) {
          const first = firstSeqOf(event);
          const replaced = events.filter(({ seq }) => seq >= first && seq <= event.seq);
          if (first === event.seq) expect(event).toEqual(replaced[0]);
          else {
            const [opening] = replaced;
            const delta = replaced.map((each) => ("delta" in each ? each.delta : "?")).join("");
            expect(event).toEqual({
              ...opening,
              id: `evt_${event.seq}`,
              metadata: { condensed: { first_seq: first } },
              delta,
              seq: event.seq,
            });
          }
          const next = shown[index + 1];
          const key = ({ type, ...rest }: LoggedEvent) =>
            "delta" in rest ? [type, "block_id" in rest ? rest.block_id : rest.tool_call_id] : [];
          if (next && key(event).length > 0) expect(key(event)).not.toEqual(key(next));
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it("is the same after any steps, and changes no more when it is condensed again", () => {
    fc.assert(
      fc.property(anyLog, ({ rows, stepRows }) => {
        const condensed = condense(rows, stepRows);
        expect(condensed).toEqual(condense(rows));
        expect(condense(condensed, stepRows)).toEqual(condensed);
      }),
      { numRuns: runs(200) },
    );
  });
});

const token = (delta: string) =>
  inOrder({ type: "TEXT_BLOCK_DELTA", block_id: "b", delta } as { type: string }) as EventDraft;

describe("a step", () => {
  it("makes one row of the eighty of a reply, of less than half of their bytes", () => {
    const events = eventsOf(Array.from({ length: 960 }, (_, index) => token(`w${index} `)));
    const rows = Array.from({ length: 80 }, (_, index) =>
      rowOf(events.slice(index * 12, index * 12 + 12), true),
    );
    const [only, ...others] = condense(rows, 9);
    expect(others).toEqual([]);
    const bytes = rows.reduce((sum, row) => sum + row.bytes.byteLength, 0);
    expect((only?.bytes.byteLength ?? 0) / bytes).toBeLessThan(0.5);
  });

  it("joins no more than the bound of a row: a longer block has several events", () => {
    const events = eventsOf(Array.from({ length: 100 }, () => token("x".repeat(2_000))));
    const condensed = condense(events.map((event) => rowOf([event], true)));
    const sizes = condensed.map(({ bytes }) => bytes.byteLength);
    expect(sizes.length).toBeGreaterThan(3);
    for (const size of sizes) expect(size).toBeLessThan(MAX_JOINED_BYTES + 1_000);
    expect(read(condensed, 0)).toHaveLength(sizes.length);
    expect(folded(read(condensed, 0))).toEqual(folded(events));
  });

  it("leaves rows as they are that are read in pieces, are damaged, or have no two deltas in a row", () => {
    const events = eventsOf(Array.from({ length: 6 }, (_, index) => token(`w${index}`)));
    const [first, second, third] = [0, 2, 4].map((at) => rowOf(events.slice(at, at + 2), true)) as [
      Row,
      Row,
      Row,
    ];
    const inPieces = chooseRowChanges([first, { seq: second.seq, bytes: null }, third], 0, false);
    expect(inPieces.changes.map(({ seq }) => seq)).toEqual([2, 6]);
    const cut = { seq: second.seq, bytes: second.bytes.slice(0, -1) };
    expect(chooseRowChanges([cut], 2, false).changes).toEqual([]);
    const single = rowOf(events.slice(0, 1), true);
    expect(chooseRowChanges([single], 0, false).changes).toEqual([]);
  });

  it("moves on past what cannot be joined, also when it sees nothing else", () => {
    const done = condense([rowOf(eventsOf([token("a"), token("b")]), true)]);
    expect(chooseRowChanges(done, 0, true)).toEqual({ changes: [], next: 2 });
  });
});

describe("a damaged row", () => {
  const [row] = condense([
    rowOf(eventsOf(Array.from({ length: 30 }, (_, at) => token(`t${at}`))), true),
  ]);

  it("is read without an error, never to much, and is never condensed further", () => {
    const bytes = row?.bytes ?? new Uint8Array();
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) })),
        fc.nat(),
        fc.nat(40),
        (damages, length, after) => {
          const damaged = bytes.slice(0, 1 + (length % bytes.byteLength));
          for (const { at, byte } of damages) {
            damaged[1 + (at % Math.max(1, damaged.byteLength - 1))] = byte;
          }
          const frames = condensedFrames(damaged, { after, splitAt: Infinity });
          expect(frames.byteLength).toBeLessThanOrEqual(4 * MAX_JOINED_BYTES);
          expect(() => chooseRowChanges([{ seq: 30, bytes: damaged }], 0, false)).not.toThrow();
        },
      ),
      { numRuns: runs(3_000) },
    );
  });
});
