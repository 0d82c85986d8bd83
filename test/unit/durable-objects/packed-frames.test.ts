// A packed row is unpacked to the bytes of its frames, whatever they are.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Frame } from "../../../durable-objects/log/delta-form.ts";
import {
  encodeFrames,
  MAX_PACKED_CHARACTERS,
  packFrames,
} from "../../../durable-objects/log/pack-frames.ts";
import { prepareEvent } from "../../../durable-objects/log/prepared-event.ts";
import { isPacked, unpackFrames } from "../../../durable-objects/log/unpack-frames.ts";
import type { EventDraft } from "../../../protocol/events.ts";
import { runs } from "../../support/breadth.ts";

const START_MS = Date.parse("2026-11-23T20:00:59.900Z");
const delta = (text: string, block_id = "blk_1"): EventDraft => ({
  type: "TEXT_BLOCK_DELTA",
  reply_id: "rep_01m81qscs9aba48sfwwekh2bg6",
  block_id,
  delta: text,
});

function frameOf(draft: EventDraft, seq: number, atMs: number): Frame {
  return { seq, text: prepareEvent(draft, seq, new Date(atMs).toISOString()).frame };
}

function framesOf(drafts: readonly EventDraft[], firstSeq = 1, stepMs = 20): readonly Frame[] {
  return drafts.map((draft, index) => frameOf(draft, firstSeq + index, START_MS + index * stepMs));
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function expectExact(frames: readonly Frame[]): Uint8Array {
  const row = packFrames(frames);
  expect(text(unpackFrames(row))).toBe(text(encodeFrames(frames)));
  expect(unpackFrames(row)).toEqual(encodeFrames(frames));
  return row;
}

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "",
    '"',
    "\\",
    "\n\n",
    '","seq":7}\n\n',
    '"delta":"',
    "\u0001",
    "\ud800",
    "é".repeat(99),
  ),
);
const anyId = fc.constantFrom("a", "b", "ü", '"', '","delta":"');
const anyDraft: fc.Arbitrary<EventDraft> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ text: anyText, id: anyId }).map((of) => delta(of.text, of.id)),
  },
  fc.record({ delta: anyText, block_id: anyId }).map(
    (of) =>
      ({
        ...of,
        type: "THINKING_BLOCK_DELTA",
        reply_id: "rep_1",
        metadata: { delta: of.delta, é: { delta: of.block_id } },
      }) as EventDraft,
  ),
  fc.record({ delta: anyText, tool_call_id: anyId }).map(
    (of) =>
      ({
        ...of,
        type: "TOOL_CALL_DELTA",
        reply_id: "rep_1",
      }) as EventDraft,
  ),
  fc.record({ data: fc.base64String(), url: fc.constant(null) }).map(
    (of) =>
      ({
        ...of,
        type: "DATA_BLOCK_DELTA",
        reply_id: "rep_1",
        block_id: "a",
        media_type: "image/png",
      }) as EventDraft,
  ),
  fc.string().map((name) => ({ type: "CUSTOM", name, value: { delta: name } }) as EventDraft),
);
/** Mostly forward, within a second and beyond it; now and then set back. */
const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }) },
  fc.integer({ min: 900, max: 90_000_000 }),
  fc.integer({ min: -2_000, max: -1 }),
);
const anyRow = fc
  .record({
    firstSeq: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 2 ** 50 })),
    events: fc.array(fc.record({ draft: anyDraft, stepMs: anyStep, gap: fc.boolean() }), {
      maxLength: 40,
    }),
  })
  .map(({ firstSeq, events }) => {
    let seq = firstSeq;
    let atMs = START_MS;
    return events.map(({ draft, stepMs, gap }, index) => {
      seq += gap && index % 9 === 0 ? 2 : 1;
      atMs += stepMs;
      return frameOf(draft, seq, atMs);
    });
  });

describe("a row of frames", () => {
  it("comes back byte by byte, whatever events it has", () => {
    fc.assert(
      fc.property(anyRow, (frames) => {
        expectExact(frames);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("comes back byte by byte, where frames are no events", () => {
    const frame = fc.oneof(
      fc.string(),
      fc.constantFrom(...framesOf([delta("a"), delta("b")]).map((of) => of.text)),
      fc.string().map((name) => `id: 2\nevent: ${name}_DELTA\ndata: {"delta":"","seq":2}\n\n`),
    );
    const row = fc.array(fc.record({ seq: fc.nat({ max: 3 }), text: frame }));
    fc.assert(
      fc.property(row, (frames) => {
        // Frames begin with `i`; text that begins with the mark of a packed row cannot be one.
        fc.pre(
          !frames
            .map((of) => of.text)
            .join("")
            .startsWith("\u0001"),
        );
        expectExact(frames);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("of deltas takes less than a tenth of their bytes, beyond the first", () => {
    const frames = framesOf(Array.from({ length: 101 }, (_, index) => delta(`token ${index} `)));
    const row = expectExact(frames);
    const first = encodeFrames(frames.slice(0, 1)).byteLength;
    const whole = encodeFrames(frames).byteLength;
    expect((row.byteLength - first) / (whole - first)).toBeLessThan(0.1);
  });

  it("is packed across a seq with a digit more, a new second and a new day", () => {
    for (const [firstSeq, stepMs] of [
      [8, 20],
      [998, 60],
      [99_999, 86_400_000],
      [5, 0],
    ] as const) {
      const row = expectExact(
        framesOf(
          Array.from({ length: 20 }, () => delta("x")),
          firstSeq,
          stepMs,
        ),
      );
      expect(row.byteLength).toBeLessThan(500);
    }
  });

  it("is stored as its frames when no delta follows another of its block, or it is large", () => {
    const alone = framesOf([delta("a"), delta("b", "blk_2")]);
    const large = framesOf([delta("a".repeat(40_000)), delta("b".repeat(40_000))]);
    for (const frames of [alone, large]) expect(packFrames(frames)).toEqual(encodeFrames(frames));
  });

  it("comes back where it is as large as packed rows are, of letters of any length", () => {
    for (const [letter, each] of [
      ["a", 60_000],
      ["\u6f22", 60_000],
      ["\u6f22", 1],
      ["\ud83d\ude42", 700],
      ['"', 300],
    ] as const) {
      const [first = framesOf([delta("")])[0]] = framesOf([delta(letter.repeat(each))]);
      const count = Math.max(
        2,
        Math.floor(MAX_PACKED_CHARACTERS / ((first?.text.length ?? 1) + 8)),
      );
      const short = each > 30_000 ? [delta("b"), delta("c")] : [];
      const long = Array.from({ length: each > 30_000 ? 1 : count }, () =>
        delta(letter.repeat(each)),
      );
      const row = expectExact(framesOf([...short, ...long]));
      expect(isPacked(row)).toBe(true);
    }
  });

  it("keeps what SQLite searches for: the frames of other events, and the texts of deltas", () => {
    const call = {
      type: "TOOL_RESULT_TEXT_DELTA",
      reply_id: "rep_1",
      tool_call_id: "call_1",
    } as const;
    const end = { type: "CUSTOM", name: "n", value: { id: "fil_1" } } as const;
    const drafts = [{ ...call, delta: "see " }, { ...call, delta: "fil_2" }, end];
    const row = text(expectExact(framesOf(drafts as readonly EventDraft[])));
    expect(row).toContain("\nevent: CUSTOM\n");
    expect(row).toContain("fil_1");
    expect(row).toContain("fil_2");
  });
});

describe("a damaged row", () => {
  const row = packFrames(framesOf(Array.from({ length: 30 }, (_, index) => delta(`t${index}`))));

  it("is read without an error, never to much, and shows nothing of another row", () => {
    const secret = packFrames(framesOf([delta("a"), delta("§".repeat(60_000))]));
    unpackFrames(secret);
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) })),
        fc.nat(),
        (damages, length) => {
          const damaged = row.slice(0, length % (row.byteLength + 1));
          for (const { at, byte } of damages) damaged[at % Math.max(1, damaged.byteLength)] = byte;
          const read = unpackFrames(damaged);
          expect(read.buffer.byteLength).toBeLessThanOrEqual(3 * MAX_PACKED_CHARACTERS);
          expect(text(read)).not.toContain("§§");
        },
      ),
      { numRuns: runs(5_000) },
    );
  });

  it.each([
    ["its mark alone", [1]],
    ["a length beyond its end", [1, 200, 1]],
    ["followers of nothing", [1, 0, 3, 0, 0, 0, 0, 0, 0]],
  ])("of %s is no frame", (_, bytes) => {
    expect(isPacked(Uint8Array.from(bytes))).toBe(true);
    expect(() => unpackFrames(Uint8Array.from(bytes))).not.toThrow();
  });
});
