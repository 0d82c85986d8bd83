import type { BatchItem } from "drizzle-orm/batch";

import { behind, type WriteAudit } from "./audit-storage.ts";
import type { Database } from "./database.ts";
import type { KeepAnswer } from "./idempotency-storage.ts";

/** Runs the statement that acts, with its entry of the audit and the one that keeps its answer, in the same batch. */
export async function runKeeping<Value>(
  database: Database,
  statement: BatchItem<"sqlite"> & PromiseLike<Value>,
  keep: KeepAnswer | undefined,
  audit?: WriteAudit,
): Promise<Value> {
  if (!keep && !audit) return statement;
  const [result] = await database.batch([statement, ...behind(database, audit, keep)]);
  return result as Value;
}
