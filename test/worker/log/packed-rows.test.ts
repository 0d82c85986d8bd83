// Rows of deltas are stored packed, and no reader sees a difference: in no dialect, wherever it begins, and beside rows of
// the version before, which are frames as they are.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";

import { EVENT_FORMATS } from "../../../protocol/dialects/dialects.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { isPacked, unpackFrames } from "../../../durable-objects/log/unpack-frames.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { lostReply, poison, silenceLogs, spreadNothing } from "../poison/poisoned.ts";
import {
  createdSession,
  objectOf,
  openStream,
  readReply,
  reply,
  startReply,
} from "../sessions/session.ts";
import { readFrames } from "../streams/translated.ts";

const FORMATS = [...EVENT_FORMATS, "ag-ui&raw=true"];
const INPUT = '/rate 100\n/words 60\n/call refund {"order_id":"A-1001"}\n/say "\\ über 漢字 🙂"';
const IS_PACKED = "substr(frames, 1, 1) = x'01'";
/** The last one that has a row behind it. */
const LAST_PACKED = `seq = (SELECT max(seq) FROM events
  WHERE ${IS_PACKED} AND seq < (SELECT max(seq) FROM events))`;

beforeEach(silenceLogs);

/** The frames of a stream as they are sent, without comments and the delay. */
async function framesOf(response: Response): Promise<readonly string[]> {
  const text = await response.text();
  expect(text.endsWith("\n\n")).toBe(true);
  return text.split("\n\n").filter((frame) => frame !== "" && !/^(?::|retry: \d+$)/.test(frame));
}

async function streamOf(init: SessionInit, query: string): Promise<readonly string[]> {
  return framesOf(await openStream(init, query));
}

function seqOf(frame: string): number {
  return Number(/^id: (\d+)/.exec(frame)?.[1]);
}

/** Numbers of rows of the log that are packed, and that are frames; `change` may write them anew. */
function rowsOfLog(
  init: SessionInit,
  change: (row: Uint8Array, index: number) => Uint8Array = (row) => row,
): Promise<{ readonly packed: number; readonly frames: number }> {
  return runInDurableObject(objectOf(init), async (_, { storage }) => {
    const rows = storage.sql
      .exec<{ seq: number; frames: ArrayBuffer }>("SELECT seq, frames FROM events ORDER BY seq")
      .toArray()
      .map(({ seq, frames }, index) => ({ seq, row: change(new Uint8Array(frames), index) }));
    for (const { seq, row } of rows) {
      storage.sql.exec("UPDATE events SET frames = ? WHERE seq = ?", row, seq);
    }
    await storage.sync();
    const packed = rows.filter(({ row }) => isPacked(row)).length;
    return { packed, frames: rows.length - packed };
  });
}

async function toldSession() {
  const init = await createdSession();
  const { id } = await startReply(init, INPUT);
  const live = await streamOf(init, `after=0&reply_id=${id}`);
  await readReply(init, id, 60_000);
  return { init, live };
}

describe("packed rows", () => {
  it(
    "are read as the bytes that went to the reader before they were on disk, from every position",
    BROAD,
    async () => {
      const { init, live } = await toldSession();
      expect((await rowsOfLog(init)).packed).toBeGreaterThan(1);
      await abortAllDurableObjects();

      const stored = await streamOf(init, "after=0");
      expect(stored.filter((frame) => live.includes(frame))).toEqual(live);
      for (const [index, frame] of stored.entries()) {
        if (index === stored.length - 1) break;
        expect(await streamOf(init, `after=${seqOf(frame)}`)).toEqual(stored.slice(index + 1));
      }
    },
  );

  for (const [rows, breadth] of sampled(["all rows", "every second row"], 1))
    it.each(rows)(
      "are read as the version before had written them, for %s, in every dialect",
      breadth,
      async (which) => {
        const { init } = await toldSession();
        const read = () =>
          Promise.all(FORMATS.map((format) => readFrames(init, `after=0&format=${format}`)));
        const before = await read();
        const { packed } = await rowsOfLog(init);
        const left = await rowsOfLog(init, (row, index) =>
          which === "all rows" || index % 2 === 0 ? unpackFrames(row) : row,
        );
        expect(left.packed).toBeLessThan(packed);
        await abortAllDurableObjects();

        expect(before.every((frames) => frames.length > 10)).toBe(true);
        expect(await read()).toEqual(before);
      },
    );

  it("behind rows of the version before are those of one reply, which goes on after its machine was lost", async () => {
    spreadNothing();
    const poisoned = await lostReply();
    const { init, replyId } = poisoned;
    await rowsOfLog(init, unpackFrames);
    await abortAllDurableObjects();
    const ended = await readReply(init, replyId, 60_000);
    const frames = await streamOf(init, `after=0&reply_id=${replyId}`);

    expect(ended.status).toBe("completed");
    expect(frames.map(seqOf)).toEqual(frames.map(seqOf).toSorted((a, b) => a - b));
    expect(new Set(frames.map(seqOf)).size).toBe(frames.length);
    const { packed, frames: whole } = await rowsOfLog(init);
    expect(packed).toBeGreaterThan(0);
    expect(whole).toBeGreaterThan(0);
  });
});

describe("a row that is damaged", () => {
  const DAMAGES: readonly (readonly [string, string])[] = [
    ["a packed one that is cut", "substr(frames, 1, length(frames) - 3)"],
    ["the mark of a packed one alone", "x'01'"],
    ["noise behind the mark", "x'01ff69643a20310a'"],
    ["a packed one that ends inside of a frame", "x'010669643a20390a00'"],
    ["half a frame", "CAST('id: ' || seq || char(10) || 'event: TEXT' AS BLOB)"],
    ["noise", "CAST(replace(hex(zeroblob(300)), '0', 'z') AS BLOB)"],
  ];

  it.each(DAMAGES)(
    "(%s) costs no event of another row, and its readers go on",
    async (_, frames) => {
      const init = await createdSession();
      const first = await reply(init, "/rate 100\n/words 30");
      await reply(init, "/say behind it");
      const before = await streamOf(init, "after=0");
      const rows = await runInDurableObject(objectOf(init), (__, { storage }) =>
        storage.sql.exec(`SELECT seq, ${LAST_PACKED} AS hurt FROM events ORDER BY seq`).toArray(),
      );
      const at = rows.findIndex(({ hurt }) => hurt === 1);
      const [from, to] = [Number(rows[at - 1]?.["seq"]), Number(rows[at]?.["seq"])];
      await poison(
        { init, replyId: first.id },
        `UPDATE events SET frames = ${frames} WHERE ${LAST_PACKED}`,
      );

      const after = await streamOf(init, "after=0");
      const isOther = (frame: string) => !(seqOf(frame) > from && seqOf(frame) <= to);
      expect(after.filter(isOther)).toEqual(before.filter(isOther));
      // The rest of the row is as it was.
      expect(before.filter((frame) => after.includes(frame))).toEqual(after);
      for (const position of [from, from + 1, to]) {
        expect(await streamOf(init, `after=${position}`)).toEqual(
          after.filter((frame) => seqOf(frame) > position),
        );
      }
      for (const format of FORMATS) {
        expect((await readFrames(init, `after=0&format=${format}`)).length).toBeGreaterThan(5);
      }
      expect((await reply(init, "/say on")).status).toBe("completed");
    },
  );
});
