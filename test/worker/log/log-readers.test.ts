// Readers of the log that wait, and what happens to it meanwhile. They hear of nothing but its own word that there may
// be more: the heartbeat, by which a stream would look again anyway, is not there.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";

import { migrate } from "../../../durable-objects/tables/schema.ts";
import { SessionLog } from "../../../durable-objects/log/session-log.ts";
import { writeSessionInit } from "../../../durable-objects/tables/session-tables.ts";
import type { EventDraft } from "../../../protocol/events.ts";
import { BROAD, runs } from "../../support/breadth.ts";
import { eventsOf, textOf } from "./read-frames.ts";
import { sessionInit } from "../sessions/session-init.ts";

const STEPS = [
  "delta",
  "large delta",
  "burst",
  "event",
  "write",
  "end",
  "settle",
  "sync one",
  "sync all",
  "restart",
] as const;
type Step = (typeof STEPS)[number];

const start: EventDraft = { type: "TEXT_BLOCK_START", reply_id: "r", block_id: "b" };

class Reader {
  readonly seqs: number[] = [];
  #cursor = 0;
  #log: SessionLog;

  constructor(log: SessionLog) {
    this.#log = log;
    void this.#follow(log);
  }

  get hasAll(): boolean {
    return this.#log.read(this.#cursor) === null;
  }

  /** The object has begun anew: the reader comes again, with its cursor. */
  resume(log: SessionLog): void {
    this.#log = log;
    void this.#follow(log);
  }

  async #follow(log: SessionLog): Promise<void> {
    while (log === this.#log) {
      for (let read = log.read(this.#cursor); read; read = log.read(this.#cursor)) {
        const events = eventsOf(textOf(read));
        this.seqs.push(...events.map(({ seq }) => seq));
        this.#cursor = read.last;
      }
      await log.changed();
    }
  }
}

class Bench {
  readonly #storage: DurableObjectStorage;
  readonly #syncs: (() => void)[] = [];
  #log: SessionLog;
  #block = 0;
  readonly readers: Reader[];

  constructor(storage: DurableObjectStorage) {
    this.#storage = new Proxy(storage, {
      get: (target, key) => {
        if (key === "sync") return () => new Promise<void>((done) => this.#syncs.push(done));
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    this.#log = this.#open();
    this.readers = [new Reader(this.#log)];
  }

  take(step: Step): void {
    const log = this.#log;
    if (step === "delta") this.#appendDelta("a");
    else if (step === "large delta") this.#appendDelta("a".repeat(40_000));
    else if (step === "burst") for (let count = 0; count < 400; count += 1) this.#appendDelta("a");
    else if (step === "event") log.append([start]);
    else if (step === "write") log.append([], { write: () => undefined });
    else if (step === "end") log.append([start], { isLast: true });
    else if (step === "settle") void log.settled();
    else if (step === "sync one") this.#syncs.shift()?.();
    else if (step === "sync all") for (const done of this.#syncs.splice(0)) done();
    else this.#restart();
    this.readers.push(new Reader(this.#log));
  }

  close(): void {
    this.#log.close();
  }

  /** The seqs on disk. */
  get stored(): readonly number[] {
    return [...this.#log.events(0)].map(({ item }) => item.seq);
  }

  /** Blocks in turn, since the log makes one delta of those of the same. */
  #appendDelta(delta: string): void {
    this.#block += 1;
    const block_id = `b${this.#block % 2}`;
    this.#log.appendDelta({ type: "TEXT_BLOCK_DELTA", reply_id: "r", block_id, delta });
  }

  /** A restart: written events are there; others are lost, also where they were shown. */
  #restart(): void {
    this.#log.close();
    this.#syncs.length = 0;
    this.#log = this.#open();
    for (const reader of this.readers) reader.resume(this.#log);
  }

  #open(): SessionLog {
    return new SessionLog(this.#storage, {
      logged: () => undefined,
      committing: () => undefined,
      committed: () => undefined,
      durable: () => undefined,
      failed: () => undefined,
    });
  }
}

async function isTold({ readers }: Bench): Promise<boolean> {
  for (let turn = 0; turn < 20; turn += 1) {
    await Promise.resolve();
  }
  return readers.every(({ hasAll }) => hasAll);
}

it(
  "every reader sees all there is to see, once and at once, whatever is written, becomes durable or is lost",
  BROAD,
  async () => {
    const steps = fc.array(fc.constantFrom(...STEPS), { minLength: 4, maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const init = sessionInit();
        await runInDurableObject(env.SESSION.getByName(init.session_id), async (_, { storage }) => {
          migrate(storage);
          writeSessionInit(storage.sql, init);
          const bench = new Bench(storage);
          for (const [count, step] of [...taken, "settle", "sync all"].entries()) {
            bench.take(step as Step);
            expect([taken.slice(0, count + 1), await isTold(bench)]).toEqual([
              taken.slice(0, count + 1),
              true,
            ]);
          }
          bench.close();
          // Events that a restart has lost were shown before, and their numbers are nobody else's.
          const { stored } = bench;
          const kept = new Set(stored);
          for (const { seqs } of bench.readers) {
            expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
            expect(seqs.filter((seq) => kept.has(seq))).toEqual(stored);
          }
        });
      }),
      { numRuns: runs(60) },
    );
  },
);
