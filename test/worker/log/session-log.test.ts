// The log by itself, on a real object's storage whose `sync` the test holds in its hand.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";

import { framesAfter } from "../../../durable-objects/log/frame-bytes.ts";
import { migrate } from "../../../durable-objects/tables/schema.ts";
import { SessionLog } from "../../../durable-objects/log/session-log.ts";
import { writeSessionInit } from "../../../durable-objects/tables/session-tables.ts";
import type { EventDraft, LoggedEvent } from "../../../protocol/events.ts";
import { SEQ_RESERVATION } from "../../../protocol/events/limits.ts";
import { eventsOf, textOf } from "./read-frames.ts";
import { sessionInit } from "../sessions/session-init.ts";

interface Bench {
  readonly log: SessionLog;
  readonly heard: LoggedEvent[];
  /** Events that could not be written, and the reasons. */
  readonly failures: string[];
  /** Lets everything that was written become durable. */
  readonly sync: () => Promise<void>;
  readonly rows: () => number;
  readonly storage: DurableObjectStorage;
}

function withLog(test: (bench: Bench) => Promise<void>): Promise<void> {
  const init = sessionInit();
  return runInDurableObject(env.SESSION.getByName(init.session_id), async (_, state) => {
    migrate(state.storage);
    writeSessionInit(state.storage.sql, init);
    const waiting: (() => void)[] = [];
    const storage = new Proxy(state.storage, {
      get(target, key) {
        if (key === "sync") return () => new Promise<void>((resolve) => waiting.push(resolve));
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const heard: LoggedEvent[] = [];
    const failures: string[] = [];
    const log = new SessionLog(storage, {
      committing: () => {},
      logged: (event) => heard.push(event),
      committed: () => {},
      durable: () => {},
      failed: (error) => failures.push(String(error)),
    });
    await test({
      log,
      heard,
      failures,
      storage: state.storage,
      sync: async () => {
        for (const resolve of waiting.splice(0)) resolve();
        await Promise.resolve();
        await Promise.resolve();
      },
      rows: () => state.storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM events").one().n,
    });
  });
}

const start: EventDraft = { type: "TEXT_BLOCK_START", reply_id: "r", block_id: "b" };
const end: EventDraft = { type: "TEXT_BLOCK_END", reply_id: "r", block_id: "b", text: null };

function delta(text: string) {
  return { type: "TEXT_BLOCK_DELTA", reply_id: "r", block_id: "b", delta: text } as const;
}

function visible(log: SessionLog, cursor = 0): string[] {
  const seen: string[] = [];
  for (let position = cursor; ;) {
    const batch = log.read(position);
    if (!batch) return seen;
    for (const event of eventsOf(textOf(batch))) {
      seen.push(event.type === "TEXT_BLOCK_DELTA" ? event.delta : event.type);
    }
    position = batch.last;
  }
}

function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe("the session's log", () => {
  it("shows an event that is no delta when it is on disk, and deltas behind it no earlier", () =>
    withLog(async ({ log, sync }) => {
      log.append([start]);
      log.appendDelta(delta("a"));
      expect(visible(log)).toEqual([]);

      await sync();
      expect(visible(log)).toEqual(["TEXT_BLOCK_START", "a"]);

      log.append([end]);
      expect(visible(log)).toEqual(["TEXT_BLOCK_START", "a"]);
      await sync();
      expect(visible(log)).toEqual(["TEXT_BLOCK_START", "a", "TEXT_BLOCK_END"]);
    }));

  it("writes events that are followed with those that follow, in order, and shows both when they are on disk", () =>
    withLog(async ({ log, sync, rows }) => {
      const written: string[] = [];
      log.append([start], { commit: "with_next", write: () => written.push("first") });
      expect([rows(), log.lastSeq, written]).toEqual([0, 1, []]);
      log.append([end], { write: () => written.push("second") });
      expect([rows(), written, visible(log)]).toEqual([1, ["first", "second"], []]);

      await sync();
      expect(visible(log)).toEqual(["TEXT_BLOCK_START", "TEXT_BLOCK_END"]);
    }));

  it("writes events by themselves that nothing has followed, and before anything is awaited that was written", () =>
    withLog(async ({ log, sync, rows }) => {
      let writes = 0;
      const options = { commit: "with_next", write: () => (writes += 1) } as const;
      log.append([start], options);
      await pauseMs(20);
      expect([rows(), writes]).toEqual([1, 1]);
      log.append([end], options);
      const settled = log.settled();
      expect([rows(), writes]).toEqual([2, 2]);
      await sync();
      await settled;
      await pauseMs(20);
      expect([rows(), writes]).toEqual([2, 2]);
    }));

  it("sends the first delta at once and makes one of those that come within the window", () =>
    withLog(async ({ log, sync, heard }) => {
      log.append([start]);
      await sync();
      // On a busy machine the window would be over between two of them.
      vi.useFakeTimers({ toFake: ["Date"] });
      for (const text of ["a", "b", "c"]) log.appendDelta(delta(text));
      vi.useRealTimers();
      expect(visible(log)).toEqual(["TEXT_BLOCK_START", "a"]);

      await pauseMs(20);
      expect(visible(log)).toEqual(["TEXT_BLOCK_START", "a", "bc"]);
      expect(heard.map((event) => event.seq)).toEqual([1, 2, 3]);
    }));

  it("keeps deltas of different blocks apart and in order, and gives out what is held before what follows", () =>
    withLog(async ({ log, sync }) => {
      const other = { ...delta("x"), block_id: "other" };
      log.append([start]);
      log.appendDelta(delta("a"));
      log.appendDelta(delta("b"));
      log.appendDelta(other);
      log.appendDelta(delta("c"));
      log.append([end]);
      await sync();

      expect(visible(log)).toEqual(["TEXT_BLOCK_START", "a", "b", "x", "c", "TEXT_BLOCK_END"]);
    }));

  it("commits deltas after a quarter of a second, and at once when they are many bytes", () =>
    withLog(async ({ log, sync, rows }) => {
      log.append([start]);
      await sync();
      log.appendDelta(delta("a"));
      expect(rows()).toBe(1);
      await pauseMs(300);
      expect(rows()).toBe(2);

      log.appendDelta(delta("x".repeat(40_000)));
      log.appendDelta(delta("y"));
      await pauseMs(20);
      expect(rows()).toBe(3);
      expect(visible(log).map((text) => text.length)).toEqual([16, 1, 40_000, 1]);
    }));

  it("reads the same from memory as from disk, from every cursor", () =>
    withLog(async ({ log, sync, heard }) => {
      log.append([start]);
      await sync();
      for (let index = 0; index < 30; index += 1) {
        log.appendDelta(delta(`${index} `));
        await pauseMs(6);
      }
      const lastSeq = heard.at(-1)?.seq ?? 0;
      const live = Array.from({ length: lastSeq }, (_, cursor) => visible(log, cursor));
      log.append([end]);
      await sync();

      for (const [cursor, seen] of live.entries()) {
        expect(visible(log, cursor)).toEqual([...seen, "TEXT_BLOCK_END"]);
      }
    }));

  it("shows no number before its reservation is on disk", () =>
    withLog(async ({ log, sync, storage }) => {
      log.append([start]);
      await sync();
      const mark = () =>
        storage.sql
          .exec<{ mark: number }>(
            "SELECT coalesce(reserved_seq, seq) AS mark FROM events ORDER BY seq DESC LIMIT 1",
          )
          .one().mark;
      for (let index = 0; index < 1_200; index += 1) {
        log.append([{ type: "TEXT_BLOCK_START", reply_id: "r", block_id: `b${index}` }]);
        if (index % 100 === 0) await sync();
        expect(log.visibleSeq).toBeLessThanOrEqual(mark());
        expect(log.lastSeq).toBeLessThanOrEqual(mark());
      }
    }));

  it("shows no delta beyond the reservation that is on disk, however many there are", () =>
    withLog(async ({ log, sync, heard }) => {
      log.append([start]);
      await sync();
      const reserved = log.highWaterMark;
      // Of two blocks in turn, so that no two deltas become one.
      for (let index = 0; index < 1_500; index += 1) {
        log.appendDelta({ ...delta(`${index}`), block_id: index % 2 === 0 ? "b" : "other" });
      }

      expect([reserved, log.visibleSeq]).toEqual([1 + SEQ_RESERVATION, 1 + SEQ_RESERVATION]);
      expect(log.lastSeq).toBeGreaterThan(reserved);
      expect(log.highWaterMark).toBeGreaterThan(reserved);
      const held = visible(log);
      expect(held).toHaveLength(reserved);
      await sync();
      void log.settled();
      await sync();
      const seen = visible(log);
      expect(seen.slice(0, reserved)).toEqual(held);
      expect(seen).toEqual(["TEXT_BLOCK_START", ...heard.slice(1).map(({ seq }) => `${seq - 2}`)]);
      expect(seen).toHaveLength(1_501);
    }));

  it("wakes every waiting reader when more can be seen", () =>
    withLog(async ({ log, sync }) => {
      const woken = [log.changed(), log.changed()];
      log.append([start]);
      await sync();

      await expect(Promise.all(woken)).resolves.toEqual([undefined, undefined]);
    }));

  it("rolls everything of a batch back together when a write fails, and says so", () =>
    withLog(async ({ log, rows, failures }) => {
      const write = () => {
        throw new Error("no room");
      };

      expect(() => log.append([start], { write })).toThrow("no room");
      expect(rows()).toBe(0);
      expect(visible(log)).toEqual([]);
      expect(failures).toEqual(["Error: no room"]);
    }));

  it("leaves nothing of deltas that are more than a row when they cannot be written", () =>
    withLog(async ({ log, sync, storage }) => {
      log.append([start]);
      await sync();
      storage.sql.exec("ALTER TABLE events RENAME TO lost");
      const picture = { block_id: "p", media_type: "image/png", data: null } as const;
      const url = `data:image/png;base64,${"A".repeat(2_500_000)}`;

      expect(() =>
        log.appendDelta({ type: "DATA_BLOCK_DELTA", reply_id: "r", ...picture, url }),
      ).toThrow("no such table: events");
      expect(storage.sql.exec("SELECT part FROM parts").toArray()).toEqual([]);
    }));

  it("says so when a row of deltas cannot be written, and tells nobody that it is on disk", () =>
    withLog(async ({ log, sync, storage, failures }) => {
      log.append([start]);
      await sync();
      storage.sql.exec("ALTER TABLE events RENAME TO lost");

      expect(() => log.appendDelta(delta("x".repeat(40_000)))).toThrow("no such table: events");
      await sync();
      expect(failures).toEqual([expect.stringContaining("no such table: events")]);
      expect(log.durableSeq).toBe(1);
    }));
});

describe("framesAfter", () => {
  it("cuts between frames at any cursor, also where numbers are missing", () => {
    const frame = (seq: number) => `id: ${seq}\nevent: X\ndata: {"seq":${seq},"text":"ä"}\n\n`;
    const seqs = [7, 8, 9, 10, 100, 1_000];
    const bytes = new TextEncoder().encode(seqs.map(frame).join(""));

    for (let cursor = 0; cursor <= 1_001; cursor += 1) {
      const rest = new TextDecoder().decode(framesAfter(bytes, cursor));
      expect(rest).toBe(
        seqs
          .filter((seq) => seq > cursor)
          .map(frame)
          .join(""),
      );
    }
  });
});
