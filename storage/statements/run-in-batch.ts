import type { BatchItem } from "drizzle-orm/batch";

import { recordStatements, type WriteAudit } from "./audit-storage.ts";
import type { Database } from "./database.ts";
import type { KeepAnswer } from "./idempotency-storage.ts";

/** Runs a statement with its audit entry and with the answer under its idempotency key, in one batch: all or none. */
export async function runInBatch<Value>(
  database: Database,
  statement: BatchItem<"sqlite"> & PromiseLike<Value>,
  keep: KeepAnswer | undefined,
  audit?: WriteAudit,
): Promise<Value> {
  if (!keep && !audit) return statement;
  const [result] = await database.batch([statement, ...recordStatements(database, audit, keep)]);
  return result as Value;
}
