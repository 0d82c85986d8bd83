// The check of an end user's share, in the batch of what a request of the end user adds. An API key's requests have none.
import { sql, type SQL } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";

import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import { endUserChecks } from "./end-user-checks.ts";
import type { Database } from "../statements/database.ts";
import { HOLDER } from "./holder-of.ts";

interface Addition {
  readonly tenantId: string;
  /** The member of the share that it counts in. */
  readonly quota: "sessions" | "stored_bytes";
  /** The part of the share that an issuer sets itself, over what the tenant's quotas say. */
  readonly share: EndUserShareChange;
  /** Rows with the members `holder` and `adds`: nothing is checked where there is none. */
  readonly of: SQL;
}

/**
 * The statement that aborts its batch when this would exceed the share, by the trigger `end_user_checks_made`. It comes
 * before the statement that adds, so that it looks at what is there.
 */
export function checkShare(
  database: Database,
  { tenantId, quota, share, of }: Addition,
): BatchItem<"sqlite"> {
  // In the order of the view's columns.
  return database
    .insert(endUserChecks)
    .select(sql`SELECT ${tenantId}, holder, ${quota}, adds, ${JSON.stringify(share)} FROM (${of})`);
}

/** The holder of a session, as {@link Addition.of} has it. */
export function ofSession(sessionId: string, adds: SQL): SQL {
  return sql`SELECT ${sql.raw(HOLDER)} AS holder, ${adds} AS adds FROM sessions WHERE id = ${sessionId}`;
}

/** Runs a batch behind a check. @returns The results without the check's. */
export async function batchChecked<
  Statements extends readonly [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]],
>(
  database: Database,
  check: BatchItem<"sqlite"> | undefined,
  statements: Statements,
): Promise<BatchResponse<Statements>> {
  if (!check) return database.batch(statements);
  const results = await database.batch([check, ...statements]);
  return results.slice(1) as unknown as BatchResponse<Statements>;
}
