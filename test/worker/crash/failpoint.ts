// Places at which a machine dies. The seam is the storage of the platform itself: every durable write of an object
// passes `transactionSync` or, outside of one, `sql.exec`, and the machine is stopped before or after one of them.
import { runInDurableObject } from "cloudflare:test";

import type { SessionObject } from "../../../durable-objects/session-object.ts";
import { unpackFrames } from "../../../durable-objects/log/unpack-frames.ts";
import { DELTA_COMMIT_MS } from "../../../protocol/events/limits.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { pauseMs } from "../sessions/held-session.ts";
import { eventsOf } from "../log/read-frames.ts";

export interface WritePoint {
  /** Counts from 1; or what the write brings; or {@link LOG_READ}. */
  readonly write: number | string;
  readonly side: "before" | "after";
}

/** Not a write: rows of the log are read, as they are to fold a reply. */
export const LOG_READ = "read log";

/** The watch over one session's writes, whichever of its objects makes them. */
export class WriteWatch {
  /** Content of each write: the types of its events, or the change of one without any. */
  readonly writes: string[] = [];
  readonly #point: WritePoint | null;
  readonly #isStopping: boolean;
  #isReached = false;
  #isOnDisk = false;
  /** The storage that wrote last; of the machine that stops. */
  #storage: unknown = null;

  /** @param isStopping Without it the machine goes on at its point, and only its next request hangs. */
  constructor(point: WritePoint | null, isStopping: boolean) {
    this.#point = point;
    this.#isStopping = isStopping;
  }

  /** Resolves when the point was reached and what came before it is on disk. */
  async reached(): Promise<void> {
    // Looks by itself: who is told by a promise of the object goes on inside of it, and dies with it.
    await waitUntil(() => this.#isOnDisk || undefined);
  }

  get isReached(): boolean {
    return this.#isReached;
  }

  /** False for a machine that comes after the one that has stopped: it lives, and may begin before the watch ends. */
  watches(storage: SqlStorage): boolean {
    if (!this.isStopped) this.#storage = storage;
    return this.#storage === storage;
  }

  /** Nothing more becomes durable. */
  get isStopped(): boolean {
    return this.#isReached && this.#isStopping;
  }

  /** @returns whether the machine stops here. */
  read(): boolean {
    if (this.#isReached || this.#point?.write !== LOG_READ) return false;
    this.#stop(Promise.resolve());
    return true;
  }

  /** A write begins with its first statement. */
  begin(name: string): void {
    this.writes.push(name);
    if (this.#isAt("before")) this.#stop(Promise.resolve());
  }

  /** The write is made, not yet on disk for certain. */
  end(storage: DurableObjectStorage): void {
    if (this.#isAt("after")) this.#stop(original.sync.call(storage));
  }

  #isAt(side: WritePoint["side"]): boolean {
    if (this.#isReached || this.#point?.side !== side) return false;
    const { write } = this.#point;
    return write === this.writes.length || write === this.writes.at(-1);
  }

  #stop(onDisk: Promise<void>): void {
    this.#isReached = true;
    void onDisk.then(() => (this.#isOnDisk = true));
  }
}

type Storage = DurableObjectStorage;

/** Until an abort has been carried out. */
const ABORT_MS = 20;

class Forgotten extends Error {}
const WRITE = /^\s*(INSERT(?: OR REPLACE)? INTO|UPDATE|DELETE FROM)\s+(\w+)/i;

const LOG_WRITE = /^\s*INSERT INTO events\b/i;
const LOG_ROWS = /^SELECT seq, frames, parts FROM events/;

const watches = new Map<string, WriteWatch>();
/** The session that a storage holds, once it holds one. */
const owners = new WeakMap<SqlStorage, string>();
const storages = new WeakMap<SqlStorage, Storage>();
const original = {} as {
  transactionSync: Storage["transactionSync"];
  sync: Storage["sync"];
  exec: SqlStorage["exec"];
};
/** The transaction that is under way: nothing else runs until it ends. */
let open: { readonly watch: WriteWatch; hasBegun: boolean } | null = null;

/**
 * Once in a test file, with any object: they share their prototypes.
 * @returns what takes them out again, for the files after it.
 */
export async function installFailpoints(
  stub: DurableObjectStub<SessionObject>,
): Promise<() => void> {
  return runInDurableObject(stub, (_, state) => {
    const storage = Object.getPrototypeOf(state.storage) as Storage;
    const sql = Object.getPrototypeOf(state.storage.sql) as SqlStorage;
    original.transactionSync = storage.transactionSync;
    original.sync = storage.sync;
    original.exec = sql.exec;

    storage.transactionSync = function transactionSync<Value>(this: Storage, run: () => Value) {
      const watch = watchOf(this);
      if (!watch) return original.transactionSync.call(this, run) as Value;
      const transaction = { watch, hasBegun: watch.isStopped };
      const made = forgetWhen(
        this,
        () => watch.isStopped,
        () => {
          open = transaction;
          try {
            return run();
          } finally {
            open = null;
          }
        },
      );
      if (transaction.hasBegun && !watch.isStopped) watch.end(this);
      return made;
    };
    storage.sync = function sync(this: Storage) {
      return watchOf(this)?.isStopped ? new Promise<void>(() => {}) : original.sync.call(this);
    };
    sql.exec = function exec(this: SqlStorage, query: string, ...values: unknown[]) {
      const run = () => original.exec.call(this, query, ...values);
      const name = describe(query, values);
      if (name === null) {
        const reader = LOG_ROWS.test(query) && storages.get(this);
        if (reader && watchOf(reader)?.read()) throw new Error("the machine has stopped");
        return run();
      }
      if (open) {
        if (!open.hasBegun) open.watch.begin(name);
        open.hasBegun = true;
        return run();
      }
      const holder = storages.get(this);
      const watch = holder && watchOf(holder);
      // A statement that finds nothing to change is no write.
      if (!watch || forget(holder, () => run().rowsWritten) === 0) return run();
      if (!watch.isStopped) watch.begin(name);
      // A row of deltas is waited for as every event is: that never ends now.
      if (watch.isStopped && LOG_WRITE.test(query)) return forget(holder, run);
      // Nobody waits for the disk here: who went on would look for the write and not find it.
      if (watch.isStopped) throw new Error("the machine has stopped");
      const cursor = run();
      watch.end(holder);
      return cursor;
    } as SqlStorage["exec"];
    return () => {
      Object.assign(storage, { transactionSync: original.transactionSync, sync: original.sync });
      Object.assign(sql, { exec: original.exec });
    };
  });
}

/**
 * Deltas are committed with the event behind them and never by their clock: how often it goes off during a reply is
 * the speed of this machine.
 * @returns what sets the clock going again.
 */
export function stopDeltaClock(): () => void {
  const { setTimeout: start } = globalThis;
  globalThis.setTimeout = ((
    run: (...values: unknown[]) => void,
    delayMs = 0,
    ...values: unknown[]
  ) =>
    start(delayMs === DELTA_COMMIT_MS ? () => undefined : run, delayMs, ...values)) as typeof start;
  return () => {
    globalThis.setTimeout = start;
  };
}

/** Watches a session from here on. Null only counts. */
export function watchWrites(
  sessionId: string,
  point: WritePoint | null,
  isStopping = true,
): WriteWatch {
  const watch = new WriteWatch(point, isStopping);
  watches.set(sessionId, watch);
  return watch;
}

export function findWatch(sessionId: string): WriteWatch | undefined {
  return watches.get(sessionId);
}

export function endWatch(sessionId: string): void {
  watches.delete(sessionId);
}

/** The object alone dies, as of an exception of the platform: in a turn of its own, so that no request is torn up. */
export async function abortObject(stub: DurableObjectStub<SessionObject>): Promise<void> {
  await runInDurableObject(stub, (_, state) => {
    setTimeout(() => state.abort("the machine is gone"), 0);
  });
  await pauseMs(ABORT_MS);
}

/**
 * A write that never reaches the disk. Who made it hears nothing of that, and waits for ever for the word that it is
 * durable: as it is in a machine that dies in between.
 */
function forget<Value>(storage: Storage, run: () => Value): Value {
  return forgetWhen(storage, () => true, run);
}

/** @param isForgotten Asked when the write is made. */
function forgetWhen<Value>(storage: Storage, isForgotten: () => boolean, run: () => Value): Value {
  const made: Value[] = [];
  try {
    original.transactionSync.call(storage, () => {
      made.push(run());
      if (isForgotten()) throw new Forgotten();
    });
  } catch (error) {
    if (!(error instanceof Forgotten)) throw error;
  }
  return made[0] as Value;
}

function watchOf(storage: Storage): WriteWatch | undefined {
  const { sql } = storage;
  storages.set(sql, storage);
  if (watches.size === 0) return undefined;
  let owner = owners.get(sql);
  if (owner === undefined) {
    owner = readOwner(sql);
    if (owner === undefined) return undefined;
    owners.set(sql, owner);
  }
  const watch = watches.get(owner);
  return watch?.watches(sql) ? watch : undefined;
}

function readOwner(sql: SqlStorage): string | undefined {
  try {
    const [row] = original.exec.call(sql, "SELECT init FROM session").toArray();
    return (JSON.parse(String(row?.["init"])) as { session_id: string }).session_id;
  } catch {
    return undefined;
  }
}

/** Null for what writes nothing. */
function describe(query: string, values: readonly unknown[]): string | null {
  const [, verb, table] = WRITE.exec(query) ?? [];
  if (!verb || !table) return null;
  if (table !== "events" || !LOG_WRITE.test(query)) {
    return `${verb.split(" ")[0]?.toLowerCase()} ${table}`;
  }
  const row = new Uint8Array(values[1] as ArrayBuffer);
  // The frames of a row whose parts were written ahead have only begun.
  if (Number(values[2]) > 0) return "events in parts";
  const frames = unpackFrames(row);
  const types = eventsOf(new TextDecoder().decode(frames)).flatMap((event) => {
    if (event.type.endsWith("_DELTA")) return [];
    return event.type === "CUSTOM" ? `${event.name}` : event.type;
  });
  return types.join(" + ") || "deltas";
}
