import type { BatchItem } from "drizzle-orm/batch";

import type { Database } from "./database.ts";
import type { KeepAnswer } from "./idempotency-storage.ts";

/** Runs the statement that acts, with the one that keeps its answer, when there is one, in the same batch. */
export async function runKeeping<Value>(
  database: Database,
  statement: BatchItem<"sqlite"> & PromiseLike<Value>,
  keep: KeepAnswer | undefined,
): Promise<Value> {
  if (!keep) return statement;
  const [result] = await database.batch([statement, keep(database)]);
  return result as Value;
}
