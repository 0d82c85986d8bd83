// Shared parts of the tests of `log_retention`: a session whose replies are condensed.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { isCondensed } from "../../../durable-objects/log/condensed/condensed-row.ts";
import { alarmOf, makeDue, rowsOf } from "../confirmations/parked.ts";
import { objectOf } from "../sessions/session.ts";

export const RETENTION = { log_retention: 60 };
export const TIMERS = "SELECT id, due_at, begun FROM timers WHERE kind = 'condense' ORDER BY id";

/** The retention of all replies is over. */
export async function makeCondensingDue(init: SessionInit): Promise<void> {
  await makeDue(init, "condense");
  await runInDurableObject(objectOf(init), (_, { storage }) => storage.setAlarm(1));
}

/** The alarm comes when the retention of all replies is over. */
export async function fireCondensing(init: SessionInit): Promise<void> {
  await makeCondensingDue(init);
  await runDurableObjectAlarm(objectOf(init));
}

/** As {@link fireCondensing}, until nothing is left to be done. */
export async function condense(init: SessionInit): Promise<void> {
  await fireCondensing(init);
  await expect.poll(() => rowsOf(init, TIMERS)).toEqual([]);
}

export interface LogRows {
  readonly rows: number;
  readonly condensed: number;
  readonly bytes: number;
}

export function readRows(init: SessionInit): Promise<LogRows> {
  return runInDurableObject(objectOf(init), (_, { storage }) => {
    const rows = storage.sql
      .exec<{ frames: ArrayBuffer }>("SELECT frames FROM events ORDER BY seq")
      .toArray()
      .map(({ frames }) => new Uint8Array(frames));
    return {
      rows: rows.length,
      condensed: rows.filter(isCondensed).length,
      bytes: rows.reduce((sum, { byteLength }) => sum + byteLength, 0),
    };
  });
}

export { alarmOf, rowsOf };
