// Sessions that were opened by an earlier version.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { migrate } from "../../../durable-objects/tables/schema.ts";
import { writeSessionInit } from "../../../durable-objects/tables/session-tables.ts";
import { confirmation, KEY, parkedSession, post, REFUND, withTools } from "./parked.ts";
import { objectOf, readReply, reply, stubOf, valueOf } from "./session.ts";
import { sessionInit } from "./session-init.ts";

/** The tables, their columns whatever their order, and the indexes. */
function layoutOf({ sql }: DurableObjectStorage) {
  const tables = sql
    .exec<{ name: string; wr: number }>("PRAGMA table_list")
    .toArray()
    .filter(({ name }) => !/^(sqlite|_cf)_/.test(name))
    .map(({ name, wr }) => ({ name, isWithoutRowIds: wr === 1, columns: columnsOf(sql, name) }));
  const stated = sql
    .exec<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
    )
    .toArray();
  const checks = sql
    .exec("SELECT name FROM sqlite_master WHERE sql LIKE '%CHECK (id = 1)%'")
    .toArray();
  const byName = <T extends { name: unknown }>(rows: readonly T[]) =>
    rows.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
  return { tables: byName(tables), indexes: byName(stated), checks: checks.length };
}

function columnsOf(sql: SqlStorage, table: string) {
  return sql
    .exec(
      'SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY name',
      table,
    )
    .toArray();
}

describe("a new session", () => {
  it("has the tables that every older one comes to have", async () => {
    const layouts = [];
    for (const version of [1, undefined]) {
      const init = sessionInit({});
      layouts.push(
        await runInDurableObject(objectOf(init), (_, { storage }) => {
          migrate(storage, version);
          migrate(storage);
          return layoutOf(storage);
        }),
      );
    }

    expect(layouts[1]).toEqual(layouts[0]);
    expect(layouts[0]?.tables.length).toBeGreaterThan(15);
    expect(layouts[0]?.checks).toBe(1);
  });
});

describe("a session with the tables of the first version", () => {
  it("opens, and asks, answers and keeps rules as a new one does", () =>
    withTools(async (calls) => {
      const init = sessionInit({ tools: [REFUND] });
      await runInDurableObject(objectOf(init), (_, state) => {
        migrate(state.storage, 1);
        writeSessionInit(state.storage.sql, init);
      });
      await evictDurableObject(objectOf(init));
      const waiting = await reply(init, "/call refund {}\n/say done");
      const [call] = waiting.pending;
      if (!call) throw new Error("nothing waits");
      const rule = { tool_name: "x", rule_content: null, behavior: "deny", source: "me" } as const;
      valueOf(await stubOf(init).addRules([rule], KEY));
      valueOf(await post(init, confirmation(waiting.id, call)));

      expect(await readReply(init, waiting.id, 60_000)).toMatchObject({ status: "completed" });
      expect(calls).toHaveLength(1);
      expect(valueOf(await stubOf(init).listRules())).toMatchObject([rule]);
    }));

  it("whose reply waits since then shows no hash and no expiry, and takes an answer", () =>
    withTools(async () => {
      const { init, parked, call } = await parkedSession();
      await runInDurableObject(objectOf(init), (_, state) => {
        state.storage.sql.exec("UPDATE tool_calls SET input_hash = NULL, expires_at = NULL");
        state.storage.sql.exec("DELETE FROM timers");
      });
      await evictDurableObject(objectOf(init));

      expect((await readReply(init, parked.id)).pending).toEqual([
        { ...call, input_hash: null, expires_at: null },
      ]);
      valueOf(await post(init, confirmation(parked.id, call)));
      expect(await readReply(init, parked.id, 60_000)).toMatchObject({ status: "completed" });
    }));
});
