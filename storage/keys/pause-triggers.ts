import { and, eq, inArray, type SQL, sql } from "drizzle-orm";

import type { PausedReason } from "../../protocol/triggers/contract.ts";
import type { Database } from "../statements/database.ts";
import { triggers } from "../triggers/table.ts";

const REVOKED: PausedReason = { type: "key_revoked" };

/**
 * The statement that pauses what keys have made, for the batch of their revocation: a schedule must not go on for whoever
 * had a leaked key. Objects read their row before a run, so none of them needs to be told. @param keyIds A query of ids.
 */
export function pauseTriggersOf(
  database: Database,
  tenantId: string,
  keyIds: SQL,
  updatedAt: string,
) {
  return database
    .update(triggers)
    .set({
      status: "paused",
      paused_reason: REVOKED,
      updated_at: updatedAt,
      revision: sql`${triggers.revision} + 1`,
    })
    .where(
      and(
        eq(triggers.tenant_id, tenantId),
        inArray(triggers.created_by_key_id, keyIds),
        eq(triggers.status, "active"),
      ),
    );
}
