// The registry as objects and jobs see it: a store is registered before its first memory, tells how large it is, and is found
// again when its agent, its end user or its tenant goes.
import type { MemoryOwner } from "./store-id.ts";

interface NewStore extends MemoryOwner {
  readonly id: string;
  readonly now: string;
  /**
   * The session whose reply remembers something; null where an API key writes. One that the removal of its end user is about
   * to erase, by itself or with the one that has called it, makes no store: that would be younger than the removal, and outlive it.
   */
  readonly session_id: string | null;
}

const REGISTER = `INSERT INTO memory_stores (id, tenant_id, agent_id, end_user_id, memories, bytes, created_at, updated_at)
  SELECT ?1, ?2, ?3, ?4, 0, 0, ?5, ?5
  WHERE EXISTS (SELECT 1 FROM tenants WHERE id = ?2 AND deleted_at IS NULL)
    AND EXISTS (SELECT 1 FROM agents WHERE id = ?3 AND tenant_id = ?2 AND deleted_at IS NULL)
    AND (?6 IS NULL OR EXISTS (SELECT 1 FROM sessions s WHERE s.id = ?6 AND s.tenant_id = ?2 AND s.deleted_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM end_user_removals r WHERE r.tenant_id = ?2 AND r.end_user_id = ?4 AND r.requested_at >=
        coalesce((SELECT root.created_at FROM sessions root WHERE root.id = s.root_session_id), s.created_at))))
  ON CONFLICT (id) DO NOTHING`;

const FIND =
  "SELECT created_at FROM memory_stores WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL";

/**
 * @returns when the store was made; null when it cannot be: its tenant, agent or session is gone or about to go, or its erasure has begun.
 * @throws when a quota is used up (`exceededQuota`), or D1 fails.
 */
export async function registerStore(
  database: D1Database,
  { id, tenant_id, agent_id, end_user_id, now, session_id }: NewStore,
): Promise<string | null> {
  const [, found] = await database.batch<{ created_at: string }>([
    database.prepare(REGISTER).bind(id, tenant_id, agent_id, end_user_id, now, session_id),
    database.prepare(FIND).bind(id, tenant_id),
  ]);
  return found?.results[0]?.created_at ?? null;
}

export interface StoreSize {
  readonly id: string;
  readonly memories: number;
  readonly bytes: number;
  readonly updated_at: string;
}

export async function reportStoreSize(
  database: D1Database,
  { id, memories, bytes, updated_at }: StoreSize,
): Promise<void> {
  await database
    .prepare("UPDATE memory_stores SET memories = ?2, bytes = ?3, updated_at = ?4 WHERE id = ?1")
    .bind(id, memories, bytes, updated_at)
    .run();
}

/** A store that is to be erased: its object first, its row after it. */
export interface RegisteredStore {
  readonly id: string;
  readonly tenant_id: string;
}

/** Stores of a tenant, whatever their state, in the order of their ids. */
export async function listTenantStores(
  database: D1Database,
  tenantId: string,
  most: number,
): Promise<readonly RegisteredStore[]> {
  const { results } = await database
    .prepare("SELECT id, tenant_id FROM memory_stores WHERE tenant_id = ?1 LIMIT ?2")
    .bind(tenantId, most)
    .all<RegisteredStore>();
  return results;
}

/**
 * Stores of one end user with all agents, by id; those whose erasure has begun too.
 * @param until Only stores that were made then or before. @param after The last id of the page before; empty for the first one.
 */
export async function listEndUserStores(
  database: D1Database,
  {
    tenantId,
    endUserId,
    until,
    after,
    most,
  }: {
    readonly tenantId: string;
    readonly endUserId: string;
    readonly until: string;
    readonly after: string;
    readonly most: number;
  },
): Promise<readonly (RegisteredStore & { readonly agent_id: string })[]> {
  const { results } = await database
    .prepare(
      `SELECT id, tenant_id, agent_id FROM memory_stores
       WHERE tenant_id = ?1 AND end_user_id = ?2 AND id > ?3 AND created_at <= ?5 ORDER BY id LIMIT ?4`,
    )
    .bind(tenantId, endUserId, after, most, until)
    .all<RegisteredStore & { readonly agent_id: string }>();
  return results;
}

const MARK_NEXT = `UPDATE memory_stores SET deleted_at = ?2 WHERE id IN (
  SELECT s.id FROM memory_stores s JOIN agents a ON a.id = s.agent_id AND a.deleted_at IS NOT NULL
  WHERE s.agent_id IN (SELECT agent_id FROM memory_stores WHERE id IN (SELECT value FROM json_each(?1)))
    AND s.deleted_at IS NULL LIMIT 500)`;

/**
 * Stores whose erasure has begun and not ended, the oldest first. The next stores of a deleted agent are marked before
 * these go, so that the chain of them does not break.
 */
export async function findLeftStores(
  database: D1Database,
  most: number,
): Promise<readonly RegisteredStore[]> {
  const { results } = await database
    .prepare(
      `SELECT id, tenant_id FROM memory_stores WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT ?1`,
    )
    .bind(most)
    .all<RegisteredStore>();
  if (results.length === 0) return results;
  const ids = JSON.stringify(results.map(({ id }) => id));
  await database.prepare(MARK_NEXT).bind(ids, new Date().toISOString()).run();
  return results;
}

/** Begins the erasure of a store. @returns when it has begun, now or before; null when there is no such store. */
export async function markStore(
  database: D1Database,
  { id, tenant_id }: RegisteredStore,
  now: string,
): Promise<string | null> {
  const row = await database
    .prepare(
      `UPDATE memory_stores SET deleted_at = coalesce(deleted_at, ?3) WHERE id = ?1 AND tenant_id = ?2
       RETURNING deleted_at`,
    )
    .bind(id, tenant_id, now)
    .first<{ deleted_at: string }>();
  return row?.deleted_at ?? null;
}

/** The row of a store whose object is erased; one of the same owner that was made since stays. */
export async function removeStore(
  database: D1Database,
  { id, tenant_id }: RegisteredStore,
): Promise<void> {
  await database
    .prepare(
      "DELETE FROM memory_stores WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NOT NULL",
    )
    .bind(id, tenant_id)
    .run();
}
