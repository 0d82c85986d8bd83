// Removals of end users: which are under way, and the rows of D1 that go with one beside those of its sessions.
import { and, eq, sql } from "drizzle-orm";

import { END_USER_REMOVAL_STEP_FILES } from "../../protocol/end-users/limits.ts";
import { REMOVAL_OVERDUE_MS } from "../../protocol/operator/limits.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import { holderOf } from "../quotas/holder-of.ts";
import type { EndUserRemovalJob } from "../sessions/queue-job.ts";
import { openDatabase } from "../statements/database.ts";
import { endUserRemovals } from "./table.ts";

/** An end user of a tenant. */
export interface EndUserPlace {
  readonly tenant_id: string;
  readonly end_user_id: string;
}

function isOne({ tenant_id, end_user_id }: EndUserPlace) {
  return and(
    eq(endUserRemovals.tenant_id, tenant_id),
    eq(endUserRemovals.end_user_id, end_user_id),
  );
}

/** Begins a removal, or begins anew one that is under way, whose jobs then do nothing more. One batch with the audit. */
export async function beginEndUserRemoval(
  binding: D1Database,
  place: EndUserPlace,
  {
    chain,
    nowMs,
    audit,
  }: { readonly chain: string; readonly nowMs: number; readonly audit: WriteAudit },
): Promise<void> {
  const database = openDatabase(binding);
  const begun = { requested_at: toTime(nowMs), chain, due_at: dueAt(nowMs) };
  const target = [endUserRemovals.tenant_id, endUserRemovals.end_user_id];
  await database.batch([
    database
      .insert(endUserRemovals)
      .values({ ...place, ...begun })
      .onConflictDoUpdate({ target, set: begun }),
    audit(database, { when: sql`true` }),
  ]);
}

/**
 * Takes the next step for a job, so that the sweep leaves the removal alone meanwhile.
 * @returns the time until which things are erased; null for a job whose removal is done or has begun anew.
 */
export async function takeRemovalStep(
  binding: D1Database,
  { kind: _, chain, ...place }: EndUserRemovalJob,
  nowMs: number,
): Promise<string | null> {
  const [row] = await openDatabase(binding)
    .update(endUserRemovals)
    .set({ due_at: dueAt(nowMs) })
    .where(and(isOne(place), eq(endUserRemovals.chain, chain)))
    .returning({ requested_at: endUserRemovals.requested_at });
  return row?.requested_at ?? null;
}

/** Ends a removal, unless it has begun anew. */
export async function endRemoval(
  binding: D1Database,
  { kind: _, chain, ...place }: EndUserRemovalJob,
): Promise<void> {
  await openDatabase(binding)
    .delete(endUserRemovals)
    .where(and(isOne(place), eq(endUserRemovals.chain, chain)));
}

/** New jobs for removals whose job was lost; each has a chain of its own, and is not taken again for half an hour. */
export async function takeOverdueEndUsers(
  binding: D1Database,
  { nowMs, most }: { readonly nowMs: number; readonly most: number },
): Promise<readonly EndUserRemovalJob[]> {
  const { results } = await binding
    .prepare(
      `UPDATE end_user_removals SET due_at = ?2, chain = lower(hex(randomblob(16)))
       WHERE (tenant_id, end_user_id) IN (SELECT tenant_id, end_user_id FROM end_user_removals
         WHERE due_at <= ?1 ORDER BY due_at LIMIT ?3)
       RETURNING tenant_id, end_user_id, chain`,
    )
    .bind(toTime(nowMs), dueAt(nowMs), most)
    .all<Omit<EndUserRemovalJob, "kind">>();
  return results.map((row) => ({ kind: "end_user_removal", ...row }));
}

/** Connections of the end user that are from then or before, with the catalogues that were read with them. */
const FORGET_CONNECTIONS = `DELETE FROM connections WHERE tenant_id = ?1 AND end_user_id = ?2
  AND mcp_server_id IN (SELECT id FROM mcp_servers WHERE tenant_id = ?1) AND created_at <= ?3`;
const FORGET_CATALOGUES = `DELETE FROM mcp_catalogues WHERE tenant_id = ?1 AND end_user_id = ?2
  AND server_id IN (SELECT id FROM mcp_servers WHERE tenant_id = ?1)`;

/** Deletes the grants that the platform has for the end user. @throws when D1 fails. */
export async function eraseConnections(
  binding: D1Database,
  { tenant_id, end_user_id }: EndUserPlace,
  until: string,
): Promise<void> {
  await binding.batch([
    binding.prepare(FORGET_CONNECTIONS).bind(tenant_id, end_user_id, until),
    binding.prepare(FORGET_CATALOGUES).bind(tenant_id, end_user_id),
  ]);
}

/**
 * Hides files of the end user that are left when the sessions are gone: those that wait for the sweep, and those that a
 * session of somebody else refers to, to which the conversation was copied. Reads the tenant's files only where the
 * counts say that something is left.
 * @returns ids, at most {@link END_USER_REMOVAL_STEP_FILES}; their objects have to be erased.
 */
export async function hideLeftFiles(
  binding: D1Database,
  { tenant_id, end_user_id }: EndUserPlace,
  until: string,
): Promise<readonly string[]> {
  const holder = holderOf({ session_id: "", end_user_id });
  const { results } = await binding
    .prepare(
      `UPDATE files SET status = 'deleting', due_at = ?3 WHERE id IN (
         SELECT id FROM files WHERE tenant_id = ?1 AND holder = ?2
           AND (created_at <= ?3 OR status = 'deleting')
           AND EXISTS (SELECT 1 FROM end_user_counts WHERE tenant_id = ?1 AND holder = ?2)
         LIMIT ?4) RETURNING id`,
    )
    .bind(tenant_id, holder, until, END_USER_REMOVAL_STEP_FILES)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

function dueAt(nowMs: number): string {
  return toTime(nowMs + REMOVAL_OVERDUE_MS);
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
