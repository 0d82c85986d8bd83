// The writes of a store: one after another, each in one transaction or, of many long texts, in several, within the tenant's
// quotas, in a store that D1 knows of.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { STORE_REPORT_RETRY_MS } from "../../protocol/memory/limits.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { registerStore, reportStoreSize } from "../../storage/memory/store-registry.ts";
import { exceededQuota } from "../../storage/quotas/exceeded-quota.ts";
import type { StoreCall } from "../api/memory-api.ts";
import type { MemoryTables } from "./memory-tables.ts";
import { readStoreRoom, refuseBytes, type StoreRoom } from "./store-room.ts";
import type { StoreTimers } from "./store-timers.ts";

interface StoreBindings {
  readonly storage: DurableObjectStorage;
  readonly database: D1Database;
  readonly storeId: string;
}

export class StoreWrites {
  readonly #storage: DurableObjectStorage;
  readonly #database: D1Database;
  readonly #tables: MemoryTables;
  readonly #timers: StoreTimers;
  readonly #storeId: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    { storage, database, storeId }: StoreBindings,
    tables: MemoryTables,
    timers: StoreTimers,
  ) {
    this.#storage = storage;
    this.#database = database;
    this.#storeId = storeId;
    this.#tables = tables;
    this.#timers = timers;
  }

  /** One after another, so that no write is in the middle of an erasure: what is written before it is erased with the rest. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /**
   * A write that may add something. Makes the store first where it is not there. Resolves when it is on disk.
   * @param sessionId The session whose reply writes: one that is deleted makes no store.
   */
  async write<Value>(
    call: StoreCall,
    sessionId: string | null,
    work: (room: StoreRoom) => Value,
  ): Promise<Result<Value>> {
    const written = await this.writeParts(call, sessionId, [work]);
    return written.ok ? accept(written.value[0] as Value) : written;
  }

  /** As {@link write}, in a transaction for each part, in their order: others are served between two of them. */
  writeParts<Value>(
    { owner }: StoreCall,
    sessionId: string | null,
    parts: readonly ((room: StoreRoom) => Value)[],
  ): Promise<Result<readonly Value[]>> {
    return this.inTurn(async () => {
      const room = await readStoreRoom(this.#database, owner.tenant_id);
      if (!room) return NO_TENANT;
      if (room.fullBytes !== null) return refuseBytes(room.fullBytes);
      const opened = await this.#open(owner, sessionId);
      if (!opened.ok) return opened;
      return accept(await this.#commitParts(parts.map((work) => () => work(room))));
    });
  }

  /** A write to a store that is there: none is made for it. Resolves when it is on disk. */
  change<Value>(work: () => Value): Promise<Result<Value>> {
    return this.inTurn(async () => {
      const tenantId = this.#tables.store?.owner.tenant_id;
      if (tenantId === undefined) return NO_STORE;
      const room = await readStoreRoom(this.#database, tenantId);
      if (!room) return NO_TENANT;
      if (room.fullBytes !== null) return refuseBytes(room.fullBytes);
      return accept(await this.commit(work));
    });
  }

  /** One transaction, in turn. Resolves when it is on disk, and D1 has been told, if it can be. */
  async commit<Value>(work: () => Value): Promise<Value> {
    const [value] = await this.#commitParts([work]);
    return value as Value;
  }

  async #commitParts<Value>(parts: readonly (() => Value)[]): Promise<readonly Value[]> {
    const values: Value[] = [];
    for (const work of parts) {
      if (values.length > 0) await timeSlice();
      const value = this.#tables.inTransaction(() => {
        const made = work();
        // In the commit: after a crash the alarm tells the size.
        this.#timers.setBy("report", Date.now() + STORE_REPORT_RETRY_MS);
        return made;
      });
      values.push(value);
    }
    await this.#storage.sync();
    await this.report();
    return values;
  }

  /** Tells D1 how large the store is; later again where that fails. Contract: never rejects. */
  async report(): Promise<void> {
    const { store, bytes } = this.#tables;
    if (!store) return;
    const { store_id: id, memories } = store;
    try {
      const updated_at = new Date().toISOString();
      await reportStoreSize(this.#database, { id, memories, bytes, updated_at });
      this.#timers.clear("report");
    } catch (error) {
      console.warn("memory: a store could not tell its size; it will", { error: String(error) });
      this.#timers.set("report", Date.now() + STORE_REPORT_RETRY_MS);
    }
  }

  async #open(owner: StoreCall["owner"], session_id: string | null): Promise<Result<null>> {
    if (!this.#tables.isOf(owner))
      return refuse("not_found", "this memory store is another owner's");
    if (this.#tables.store) return accept(null);
    const now = new Date().toISOString();
    try {
      const place = { ...owner, id: this.#storeId, now, session_id };
      const createdAt = await registerStore(this.#database, place);
      if (createdAt === null) {
        const detail = "the agent, the session or the store of these memories was deleted";
        return refuse("not_found", detail);
      }
      this.#tables.begin(this.#storeId, ownerOf(owner), createdAt);
      return accept(null);
    } catch (error) {
      const quota = exceededQuota(error);
      if (!quota) throw error;
      const detail = `the tenant's quota ${quota} is used up: no further memory store can be made; delete some, or ask the operator for more`;
      return refuse("quota_exceeded", detail, { extensions: { quota } });
    }
  }
}

const NO_TENANT = refuse("not_found", "there is no such tenant");
const NO_STORE = refuse("not_found", "there is no such memory store");

/** In one order of members, as it is stored. */
function ownerOf({ tenant_id, agent_id, end_user_id }: StoreCall["owner"]): StoreCall["owner"] {
  return { tenant_id, agent_id, end_user_id };
}
