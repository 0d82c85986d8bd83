// The object of a memory store that dies before and after each of its transactions: what is asked again comes to the same store,
// with the same index, as without a death.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { MemoryObject } from "../../../durable-objects/memory/memory-object.ts";
import { memoryObjectName, type MemoryApi } from "../../../durable-objects/api/memory-api.ts";
import { sampled } from "../../support/breadth.ts";
import { waitFor } from "../../support/wait-for.ts";
import { memoryDesk } from "../memory/memory-desk.ts";
import { pauseMs } from "../sessions/held-session.ts";

type Desk = Awaited<ReturnType<typeof openDesk>>;

interface Death {
  /** Counts from 1. */
  readonly transaction: number;
  readonly side: "before" | "after";
}

/** Until an abort has been carried out. */
const ABORT_MS = 20;

async function openDesk() {
  const { asked, tenant_id, store } = await memoryDesk();
  const name = memoryObjectName(tenant_id, store.id);
  const stub = () => env.MEMORY.getByName(name) as unknown as DurableObjectStub<MemoryObject>;
  const source = { session_id: null, reply_id: null, tool_call_id: null };
  return {
    id: store.id,
    asked,
    stub,
    /** A stub of its own for each call: one that saw its object die stays broken. */
    api: () => stub() as unknown as MemoryApi,
    record: (record_id: string, ...contents: readonly string[]) =>
      (stub() as unknown as MemoryApi).record({
        ...asked,
        record_id,
        memories: contents.map((content) => ({ content, untrusted: null, source })),
      }),
  };
}

/** Texts that are about different things, each as long as one may be. */
const LONG = ["alpha", "beta", "gamma", "delta", "epsilon"].map((word) =>
  Array.from({ length: 7_900 / 9 }, (_, index) =>
    `${word.slice(0, 3)}${index}`.padEnd(8, "x"),
  ).join(" "),
);

/** The first memory of a store is made by the test; these are changes of one that has some. */
const ACTS: Readonly<Record<string, (desk: Desk) => Promise<unknown>>> = {
  "a memory beside others": (desk) => desk.record("rep_2", "Likes tea."),
  "several memories, one of them known": (desk) =>
    desk.record("rep_2", "Likes tea.", "Has a dog.", "Plays chess."),
  "long memories, in a transaction for two": (desk) => desk.record("rep_2", ...LONG),
  "a memory that supersedes": (desk) => desk.record("rep_2", "The user lives in Munich."),
  "a memory that was recorded already": (desk) => desk.record("rep_1", "Likes tea."),
  async "a correction"(desk) {
    const memory_id = await idOf(desk, "Has a dog.");
    const change = { content: "Has two dogs." };
    return desk.api().correct({ ...desk.asked, memory_id, change, if_versions: [1] });
  },
  async "a deletion"(desk) {
    return desk.api().forget(await idOf(desk, "Has a dog."), undefined);
  },
  async "a redaction"(desk) {
    const { data } = await desk.api().listVersions({ limit: 10 });
    return desk.api().redact(data.at(-1)?.id ?? "");
  },
  erasure: (desk) => desk.api().erase(),
};

async function idOf(desk: Desk, content: string): Promise<string> {
  const { data } = await desk.api().list({ limit: 10 });
  return data.find((memory) => memory.content === content)?.id ?? "mem_gone";
}

/** A store with two memories, which is at rest. */
async function prepared(): Promise<Desk> {
  const desk = await openDesk();
  await desk.record("rep_1", "Has a dog.", "The user lives in Berlin.");
  return desk;
}

/**
 * Does the act in an object that dies at that transaction; null for none.
 * @returns the transactions that were begun.
 */
async function dieAt(desk: Desk, act: (desk: Desk) => Promise<unknown>, death: Death | null) {
  const state = { begun: 0, isDead: false };
  const takeOut = await runInDurableObject(desk.stub(), (_, { storage }) => {
    const proto = Object.getPrototypeOf(storage) as DurableObjectStorage;
    const { transactionSync, sync, deleteAll } = proto;
    const guard = (side: Death["side"]): void => {
      if (death?.transaction === state.begun && death.side === side) state.isDead = true;
    };
    const write = <Value>(run: () => Value): Value => {
      if (state.isDead) throw new Error("the machine has stopped");
      state.begun += 1;
      guard("before");
      if (state.isDead) throw new Error("the machine has stopped");
      const made = run();
      guard("after");
      return made;
    };
    proto.transactionSync = function guarded<Value>(this: DurableObjectStorage, run: () => Value) {
      const made = () => transactionSync.call(this, run) as Value;
      return this === storage ? write(made) : made();
    };
    proto.deleteAll = function guarded(this: DurableObjectStorage) {
      const made = () => deleteAll.call(this);
      return this === storage ? write(made) : made();
    };
    proto.sync = function guarded(this: DurableObjectStorage) {
      const isOver = this === storage && state.isDead;
      return isOver ? new Promise<void>(() => undefined) : sync.call(this);
    };
    return () => Object.assign(proto, { transactionSync, sync, deleteAll });
  });
  const done = act(desk).catch(() => undefined);
  if (death) await waitFor(() => expect(state.isDead).toBe(true));
  else await done;
  if (death) {
    await runInDurableObject(desk.stub(), (_, object) => {
      setTimeout(() => object.abort("the machine is gone"), 0);
    });
    await pauseMs(ABORT_MS);
  }
  takeOut();
  return state.begun;
}

/** All that there is of a store, without its ids and times; the index is sound. */
async function contentOf({ stub, api, id }: Desk) {
  // The time of what is left to do has come.
  await runInDurableObject(stub(), (_, { storage: { sql } }) => {
    const made = sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'timers'").toArray();
    if (made.length > 0) sql.exec("UPDATE timers SET due_at = 0");
  });
  await runDurableObjectAlarm(stub());
  const [row] = (
    await env.DB.prepare("SELECT memories FROM memory_stores WHERE id = ?").bind(id).all()
  ).results;
  const words = await runInDurableObject(stub(), (_, { storage: { sql } }) => {
    const made = sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'words'").toArray();
    if (made.length === 0) return null;
    sql.exec("INSERT INTO words (words) VALUES ('integrity-check')");
    const places = "SELECT group_concat(rowid) FROM (SELECT rowid FROM words ORDER BY rowid)";
    return [
      sql.exec(`SELECT plain FROM words ORDER BY rowid`).toArray(),
      sql
        .exec(
          `SELECT (${places}) = (SELECT group_concat(place) FROM (SELECT place FROM memories ORDER BY place)) AS same`,
        )
        .toArray(),
      sql.exec("SELECT count(*) AS kept FROM records").toArray(),
      sql.exec("SELECT memories FROM store").toArray(),
    ];
  });
  const { data: versions } = await api().listVersions({ limit: 100 });
  return {
    told: row,
    words,
    versions: versions.map(({ content, version, operation, redacted_at }) => {
      return { content, version, operation, isRedacted: redacted_at !== null };
    }),
  };
}

for (const [names, breadth] of sampled(Object.keys(ACTS), 2, "each"))
  describe.each(names)("%s", breadth, (name) => {
    test("comes to the same store when it is asked again, whichever transaction its object dies at", async () => {
      const act = ACTS[name]!;
      const whole = await prepared();
      const transactions = await dieAt(whole, act, null);
      const expected = await contentOf(whole);

      const found: unknown[][] = [];
      for (let transaction = 1; transaction <= transactions; transaction += 1) {
        for (const side of ["before", "after"] as const) {
          const desk = await prepared();
          await dieAt(desk, act, { transaction, side });
          await act(desk);
          found.push([transaction, side, await contentOf(desk)]);
        }
      }

      // Of long memories others are served between two.
      expect(transactions).toBeGreaterThan(name.startsWith("long ") ? 1 : 0);
      expect(found.map(([transaction, side]) => [transaction, side, expected])).toEqual(found);
    });
  });

test("a store that D1 knows of, and whose object died before it had a table, takes the next memory", async () => {
  const desk = await openDesk();
  await desk.api().erase();

  await dieAt(desk, () => desk.record("rep_1", "Has a dog."), { transaction: 1, side: "before" });
  const begun = await desk.api().list({ limit: 10 });
  await desk.record("rep_1", "Has a dog.");

  expect(begun.data).toEqual([]);
  const { versions, told } = await contentOf(desk);
  expect([versions.map(({ content }) => content), told]).toEqual([["Has a dog."], { memories: 1 }]);
});
