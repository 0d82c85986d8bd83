// Events on disk that the log keeps in memory, and those that it writes a moment later.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { EventTable } from "../../../durable-objects/log/event-table.ts";
import { SessionLog } from "../../../durable-objects/log/session-log.ts";
import { migrate } from "../../../durable-objects/tables/schema.ts";
import { writeSessionInit } from "../../../durable-objects/tables/session-tables.ts";
import type { EventDraft } from "../../../protocol/events.ts";
import { eventsOf, textOf } from "./read-frames.ts";
import { sessionInit } from "../sessions/session-init.ts";

interface Opened {
  readonly log: SessionLog;
  readonly sql: SqlStorage;
  /** The events of each row that was inserted. */
  readonly rows: () => string[][];
  /** Rows of the log that were looked for. */
  readonly queries: () => number;
}

function withLog(test: (opened: Opened) => Promise<void>): Promise<void> {
  const init = sessionInit();
  return runInDurableObject(env.SESSION.getByName(init.session_id), async (_, { storage }) => {
    migrate(storage);
    writeSessionInit(storage.sql, init);
    let queries = 0;
    const exec = storage.sql.exec.bind(storage.sql);
    Object.defineProperty(storage.sql, "exec", {
      configurable: true,
      value: (query: string, ...values: unknown[]) => {
        if (query.startsWith("SELECT seq, frames")) queries += 1;
        return exec(query, ...values);
      },
    });
    const none = (): void => undefined;
    const log = new SessionLog(storage, {
      committing: none,
      logged: none,
      committed: none,
      durable: none,
      failed: none,
    });
    const table = new EventTable(storage.sql);
    await test({
      log,
      sql: storage.sql,
      queries: () => queries,
      rows() {
        const seqs = exec<{ seq: number }>("SELECT seq FROM events ORDER BY seq").toArray();
        return seqs.map(({ seq }, index) => {
          const read = table.read(seqs[index - 1]?.seq ?? 0, seq, 1);
          return read ? eventsOf(textOf(read)).map(({ type }) => type) : [];
        });
      },
    });
  });
}

const call = (id: string): EventDraft => ({
  type: "TOOL_CALL_START",
  reply_id: "r",
  tool_call_id: id,
  tool_call_name: "look",
});
const end = (id: string): EventDraft => ({
  type: "TOOL_CALL_END",
  reply_id: "r",
  tool_call_id: id,
});
const delta = { type: "TOOL_CALL_DELTA", reply_id: "r", tool_call_id: "a", delta: "{}" } as const;

describe("the newest events of a log", () => {
  it("are read without a query when they have just become durable, and older ones are not", () =>
    withLog(async ({ log, queries }) => {
      for (let number = 0; number < 60; number += 1) log.append([call(`c${number}`)]);
      await log.settled();
      const before = queries();

      expect(log.read(58)?.last).toBe(60);
      expect(log.readEvents(59)?.events.map(({ seq }) => seq)).toEqual([60]);
      expect(queries()).toBe(before);
      expect(log.read(2)?.last).toBe(60);
      expect(queries()).toBe(before + 1);
    }));

  it("are the bytes of the table, from every position", () =>
    withLog(async ({ log, sql }) => {
      for (let number = 0; number < 30; number += 1) {
        log.append([call(`c${number}`), end(`é${number}`)]);
        log.appendDelta(delta);
      }
      await log.settled();
      const table = new EventTable(sql);

      for (let cursor = 0; cursor < log.lastSeq; cursor += 1) {
        const stored = table.read(cursor, log.lastSeq, 1_000_000);
        const read = log.read(cursor);
        expect(read && textOf(read)).toBe(stored && textOf(stored));
      }
    }));
});

describe("an event that need not be on disk at once", () => {
  it("is a row of its own before the next one, with the deltas between them", () =>
    withLog(async ({ log, rows }) => {
      const written: string[] = [];
      log.append([call("a")], { commit: "soon", write: () => written.push("a") });
      log.appendDelta(delta);
      expect([rows(), written, log.visibleSeq]).toEqual([[], [], 0]);
      log.append([call("b")], { commit: "soon", write: () => written.push("b") });
      log.append([end("a"), end("b")], { write: () => written.push("ends") });
      await log.settled();

      expect(rows()).toEqual([
        ["TOOL_CALL_START", "TOOL_CALL_DELTA"],
        ["TOOL_CALL_START"],
        ["TOOL_CALL_END", "TOOL_CALL_END"],
      ]);
      expect(written).toEqual(["a", "b", "ends"]);
    }));

  it("is written for a caller who waits for it, and a moment later when nobody does", () =>
    withLog(async ({ log, rows }) => {
      log.append([call("a")], { commit: "soon" });
      await log.settled();
      expect([rows(), log.visibleSeq]).toEqual([[["TOOL_CALL_START"]], 1]);

      log.append([call("b")], { commit: "soon" });
      log.appendDelta(delta);
      while (log.visibleSeq < 3) {
        await log.changed();
      }
      expect(rows()).toEqual([["TOOL_CALL_START"], ["TOOL_CALL_START", "TOOL_CALL_DELTA"]]);
    }));
});
