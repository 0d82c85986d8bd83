// The tenant's own view of its memory stores. One whose erasure has begun is not there any more, nor is one of a deleted agent.
import { and, desc, eq, isNull, sql } from "drizzle-orm";

import type { MemoryStoreRecord } from "../../protocol/memory/contract.ts";
import { isId } from "../../protocol/ids.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { recordStatements, type WriteAudit } from "../audit/audit-storage.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import { checkShare } from "../quotas/check-share.ts";
import type { Database } from "../statements/database.ts";
import { decodeToken, toPage } from "../statements/page.ts";
import { memoryStores } from "./table.ts";

/** A place in the list: an id alone has no time. */
export interface StorePosition {
  readonly created_at: string;
  readonly id: string;
}

interface StoreListRequest {
  readonly agentId?: string | undefined;
  readonly endUserId?: string | undefined;
  readonly before?: StorePosition | undefined;
  readonly limit: number;
}

export interface MemoryStoreStorage {
  /** Null when there is none. */
  read(storeId: string): Promise<MemoryStoreRecord | null>;
  /** Newest first. */
  list(request: StoreListRequest): Promise<Page<MemoryStoreRecord>>;
  /** From here on the store is not there; its object and its row are the caller's to erase. False when there is none. */
  beginRemoval(storeId: string, now: string, audit?: WriteAudit): Promise<boolean>;
  /** Before an end user's own request adds so many bytes. @throws when that would exceed their share. */
  checkShare(endUserId: string, bytes: number, share: EndUserShareChange): Promise<void>;
}

export function memoryStoreStorage(database: Database, tenantId: string): MemoryStoreStorage {
  const isThere = and(
    eq(memoryStores.tenant_id, tenantId),
    isNull(memoryStores.deleted_at),
    sql`EXISTS (SELECT 1 FROM agents WHERE agents.id = ${memoryStores.agent_id} AND agents.tenant_id = ${tenantId} AND agents.deleted_at IS NULL)`,
  );
  return {
    async read(storeId) {
      const [row] = await database
        .select()
        .from(memoryStores)
        .where(and(isThere, eq(memoryStores.id, storeId)));
      return row ? toRecord(row) : null;
    },

    async list({ agentId, endUserId, before, limit }) {
      const rows = await database
        .select()
        .from(memoryStores)
        .where(
          and(
            isThere,
            agentId === undefined ? undefined : eq(memoryStores.agent_id, agentId),
            endUserId === undefined ? undefined : eq(memoryStores.end_user_id, endUserId),
            before &&
              sql`(${memoryStores.created_at}, ${memoryStores.id}) < (${before.created_at}, ${before.id})`,
          ),
        )
        .orderBy(desc(memoryStores.created_at), desc(memoryStores.id))
        .limit(limit + 1);
      return toPage(rows.map(toRecord), limit, ({ created_at, id }) => `${created_at} ${id}`);
    },

    async beginRemoval(storeId, now, audit) {
      const [rows] = await database.batch([
        database
          .update(memoryStores)
          .set({ deleted_at: now })
          .where(and(isThere, eq(memoryStores.id, storeId)))
          .returning({ id: memoryStores.id }),
        ...recordStatements(database, audit),
      ]);
      return rows.length > 0;
    },

    async checkShare(endUserId, bytes, share) {
      const of = sql`SELECT ${`u:${endUserId}`} AS holder, ${bytes} AS adds`;
      await database.batch([checkShare(database, { tenantId, quota: "stored_bytes", share, of })]);
    },
  };
}

/** Decodes the `page` query parameter; null for an invalid token. */
export function decodeStorePosition(token: string): StorePosition | null {
  const [created_at = "", id = "", ...more] = decodeToken(token)?.split(" ") ?? [];
  if (more.length > 0 || !isId("memstore", id) || !/^[\dT:.-]{23}Z$/.test(created_at)) return null;
  return { created_at, id };
}

function toRecord({
  tenant_id: _tenant,
  deleted_at: _deleted,
  ...row
}: typeof memoryStores.$inferSelect): MemoryStoreRecord {
  return row;
}
