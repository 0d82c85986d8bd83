// A long log is condensed in steps of bounded size, whatever version has written its rows.
import { describe, expect, it } from "vitest";

import {
  condensedFrames,
  isCondensed,
} from "../../../durable-objects/log/condensed/condensed-row.ts";
import { encodeFrames, packFrames } from "../../../durable-objects/log/pack-frames.ts";
import { prepareEvent } from "../../../durable-objects/log/prepared-event.ts";
import { unpackFrames } from "../../../durable-objects/log/unpack-frames.ts";
import type { EventDraft } from "../../../protocol/events.ts";
import { MAX_CONDENSING_ROWS, MAX_JOINED_BYTES } from "../../../protocol/events/limits.ts";
import { withHeldSession } from "../sessions/held-session.ts";
import { eventsOf } from "./read-frames.ts";

const ROWS = 700;
const DELTAS = 3;
const AT = "2026-11-24T00:00:00.000Z";

function rowOf(first: number, text: string, isPacked: boolean): Uint8Array {
  const frames = Array.from({ length: DELTAS }, (_, index) => {
    const draft = { type: "TEXT_BLOCK_DELTA", reply_id: "rep_1", block_id: "b", delta: text };
    const seq = first + index;
    return { seq, text: prepareEvent(draft as EventDraft, seq, AT).frame };
  });
  return isPacked ? packFrames(frames) : encodeFrames(frames);
}

type Row = { seq: number; frames: ArrayBuffer; parts: number };

/** Condenses a log of rows of one block. @returns Its rows, and how many each step has left. */
async function condensed(rows: readonly Uint8Array[], inParts = -1) {
  const kept: Row[] = [];
  const counts: number[] = [];
  await withHeldSession({}, async ({ session, state }) => {
    const { sql } = state.storage;
    const count = () => sql.exec<{ n: number }>("SELECT count(*) AS n FROM events").one().n;
    for (const [index, row] of rows.entries()) {
      const insert = "INSERT INTO events (seq, frames, parts) VALUES (?, ?, ?)";
      sql.exec(insert, (index + 1) * DELTAS, row, index === inParts ? 1 : 0);
    }
    const upTo = rows.length * DELTAS;
    for (let next: number | null = 0; next !== null; counts.push(count())) {
      next = session.transaction(() => session.tables.condense(next ?? 0, upTo));
    }
    kept.push(...sql.exec<Row>("SELECT seq, frames, parts FROM events ORDER BY seq").toArray());
    await state.storage.sync();
  });
  return { kept, counts };
}

function textOf({ frames }: Row): string {
  const row = new Uint8Array(frames);
  const window = { after: 0, splitAt: Infinity };
  const whole = isCondensed(row) ? condensedFrames(row, window) : unpackFrames(row);
  const events = eventsOf(new TextDecoder().decode(whole));
  return events.map((event) => ("delta" in event ? event.delta : "")).join("");
}

describe("a long log", () => {
  it.each([
    ["packed", true],
    ["of the version before", false],
  ])(
    "of rows that are %s becomes one row in steps, none of which reads more than its bound",
    async (_, isPacked) => {
      const rows = Array.from({ length: ROWS }, (__, index) =>
        rowOf(index * DELTAS + 1, `w${index} `, isPacked),
      );
      const { kept, counts } = await condensed(rows);

      expect(counts.length).toBeGreaterThan(ROWS / MAX_CONDENSING_ROWS);
      for (const [step, count] of counts.entries()) {
        expect((counts[step - 1] ?? ROWS) - count).toBeLessThan(MAX_CONDENSING_ROWS);
      }
      expect(kept.map(({ seq }) => seq)).toEqual([ROWS * DELTAS]);
      const written = Array.from({ length: ROWS }, (__, index) => `w${index} `.repeat(DELTAS));
      expect(kept.map(textOf).join("")).toBe(written.join(""));
    },
  );

  it("of large deltas has rows up to the bound, and leaves what readers read in pieces", async () => {
    const large = rowOf(31, "漢".repeat(9_000), false);
    const rows = Array.from({ length: 30 }, (_, index) =>
      index === 10 ? large : rowOf(index * DELTAS + 1, "x".repeat(2_000), true),
    );
    const { kept } = await condensed(rows, 20);

    expect(large.byteLength).toBeGreaterThan(MAX_JOINED_BYTES);
    const untouched = kept.filter(({ seq }) => seq === 33 || seq === 63);
    expect(untouched.map(({ frames }) => new Uint8Array(frames))).toEqual([large, rows[20]]);
    const others = kept.filter((row) => !untouched.includes(row));
    expect(others).toHaveLength(3);
    for (const { frames } of others) {
      expect(isCondensed(new Uint8Array(frames))).toBe(true);
      expect(frames.byteLength).toBeLessThan(MAX_JOINED_BYTES + 1_000);
    }
    expect(kept.map(textOf).join("")).toBe(
      rows
        .map((frames, index) =>
          textOf({ seq: index, frames: frames.slice().buffer as ArrayBuffer, parts: 0 }),
        )
        .join(""),
    );
  });
});
