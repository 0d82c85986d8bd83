import { refuse, type Result } from "../../protocol/errors.ts";
import { readTenantSettings } from "../../storage/tenants/read-tenant-settings.ts";

/** The room that a tenant's quotas leave a store. */
export interface StoreRoom {
  /** Memories that the store can have. */
  readonly memories: number;
  /** The quota of bytes, where it is used up; else null. */
  readonly fullBytes: number | null;
}

/** One query. Null for a tenant that is closed. @throws when D1 fails. */
export async function readStoreRoom(
  database: D1Database,
  tenantId: string,
): Promise<StoreRoom | null> {
  const settings = await readTenantSettings(database, tenantId);
  if (!settings || settings.status === "closed") return null;
  const { quotas, counts } = settings;
  const isFull = counts.stored_bytes >= quotas.stored_bytes;
  return { memories: quotas.memories_per_store, fullBytes: isFull ? quotas.stored_bytes : null };
}

/** Whether requests of the tenant may go out. One query. @throws when D1 fails. */
export async function isTenantActive(database: D1Database, tenantId: string): Promise<boolean> {
  return (await readTenantSettings(database, tenantId))?.status === "active";
}

export function refuseBytes(limit: number): Result<never> {
  return refuse(
    "quota_exceeded",
    `the tenant's quota stored_bytes is ${limit}, and it is used up: delete sessions, files or memories, or ask the operator for more`,
    { extensions: { quota: "stored_bytes", limit } },
  );
}
