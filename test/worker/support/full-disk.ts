// Objects whose disk is full: every write of theirs fails as SQLite says it, and as the runtime then does.
import { runInDurableObject } from "cloudflare:test";
import { onTestFinished } from "vitest";

import type { SessionObject } from "../../../durable-objects/session-object.ts";

type Storage = DurableObjectStorage;

/** SQLite's text, in D1's words too, and the runtime's when it is a commit that finds no room. */
const FULL = "database or disk is full: SQLITE_FULL";
export const FAILURES = [
  `D1_ERROR: ${FULL}`,
  "D1_ERROR: Exceeded maximum DB size: SQLITE_FULL",
  "D1_ERROR: disk I/O error: SQLITE_IOERR",
  "internal error; reference = jn64d5lqd5j344gfg2uaafsh",
] as const;

const WRITE = /^\s*(INSERT|UPDATE|DELETE|REPLACE|CREATE|ALTER)\b/i;

/** Ids of sessions whose objects have no room. */
const full = new Set<string>();
const original = {} as {
  transactionSync: Storage["transactionSync"];
  sync: Storage["sync"];
  setAlarm: Storage["setAlarm"];
  exec: SqlStorage["exec"];
};

/** Once in a test file, with any object: they share their prototypes. */
export async function installFullDisk(stub: DurableObjectStub<SessionObject>): Promise<void> {
  await runInDurableObject(stub, (_, state) => {
    const storage = Object.getPrototypeOf(state.storage) as Storage;
    const sql = Object.getPrototypeOf(state.storage.sql) as SqlStorage;
    Object.assign(original, {
      transactionSync: storage.transactionSync,
      sync: storage.sync,
      setAlarm: storage.setAlarm,
      exec: sql.exec,
    });
    storage.transactionSync = function transactionSync<Value>(this: Storage, run: () => Value) {
      return original.transactionSync.call(this, () => {
        const made = run();
        if (isFull(this.sql)) throw new Error(FULL);
        return made;
      }) as Value;
    };
    storage.sync = function sync(this: Storage) {
      return isFull(this.sql) ? Promise.reject(new Error(FULL)) : original.sync.call(this);
    };
    storage.setAlarm = function setAlarm(this: Storage, ...time: Parameters<Storage["setAlarm"]>) {
      if (isFull(this.sql)) return Promise.reject(new Error(FULL));
      return original.setAlarm.apply(this, time);
    };
    sql.exec = function exec(this: SqlStorage, query: string, ...values: unknown[]) {
      if (WRITE.test(query) && isFull(this)) throw new Error(FULL);
      return original.exec.call(this, query, ...values);
    } as SqlStorage["exec"];
  });
}

/** From here on, and until the test ends or the function that comes back is called. */
export function fillDisk(sessionId: string): () => void {
  full.add(sessionId);
  const makeRoom = () => void full.delete(sessionId);
  onTestFinished(makeRoom);
  return makeRoom;
}

function isFull(sql: SqlStorage): boolean {
  if (full.size === 0) return false;
  try {
    const [row] = original.exec.call(sql, "SELECT init FROM session").toArray();
    return full.has((JSON.parse(String(row?.["init"])) as { session_id: string }).session_id);
  } catch {
    return false;
  }
}
