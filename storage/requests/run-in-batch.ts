import type { BatchItem } from "drizzle-orm/batch";

import { recordStatements, type WriteAudit } from "../audit/audit-storage.ts";
import type { Database } from "../statements/database.ts";
import type { KeepAnswer } from "./idempotency-storage.ts";

/** Runs a statement with its audit entries and with the answer under its idempotency key, in one batch: all or none. */
export async function runInBatch<Value>(
  database: Database,
  statement: BatchItem<"sqlite"> & PromiseLike<Value>,
  keep: KeepAnswer | undefined,
  ...audits: readonly (WriteAudit | undefined)[]
): Promise<Value> {
  if (!keep && audits.every((audit) => !audit)) return statement;
  // Each entry is written when the statement before it has changed a row: the act, or the entry before.
  const records = recordStatements(database, ...audits, keep);
  const [result] = await database.batch([statement, ...records]);
  return result as Value;
}
