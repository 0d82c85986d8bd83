// The room that a tenant's quotas leave a store, as D1 has said within half a minute.
import { STORE_ROOM_STALE_MS } from "../../protocol/memory/limits.ts";
import { readTenantSettings } from "../../storage/tenants/read-tenant-settings.ts";

export interface StoreRoom {
  /** Memories that the store can have. */
  readonly memories: number;
  /** The quota of bytes, where it is used up; else null. */
  readonly fullBytes: number | null;
}

export class StoreRooms {
  readonly #database: D1Database;
  #read: { readonly room: StoreRoom; readonly atMs: number } | null = null;

  constructor(database: D1Database) {
    this.#database = database;
  }

  /** Null for a tenant that is closed. @throws when D1 fails. */
  async read(tenantId: string): Promise<StoreRoom | null> {
    // What is full is read anew, so that what was deleted counts at once.
    const isFresh = this.#read && Date.now() - this.#read.atMs < STORE_ROOM_STALE_MS;
    if (isFresh && this.#read?.room.fullBytes === null) return this.#read.room;
    const settings = await readTenantSettings(this.#database, tenantId);
    if (!settings || settings.status === "closed") return null;
    const { quotas, counts } = settings;
    const isFull = counts.stored_bytes >= quotas.stored_bytes;
    const room = {
      memories: quotas.memories_per_store,
      fullBytes: isFull ? quotas.stored_bytes : null,
    };
    this.#read = { room, atMs: Date.now() };
    return room;
  }
}
