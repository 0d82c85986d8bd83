// Stored bytes of a tenant as its object knows them: D1's count, and the bytes that sessions were allowed to add since.
import type { Quotas } from "../../protocol/quotas/contract.ts";
import { STORED_BYTES_GRANT, STORED_BYTES_REFRESH_MS } from "../../protocol/quotas/limits.ts";
import type { TenantTables } from "./tenant-tables.ts";

interface CountedBytes {
  readonly stored_bytes: number;
  readonly database_bytes: number;
}

export class HeldBytes {
  readonly #tables: TenantTables;
  /** As last read from D1. Stored, because an object that has just woken would otherwise admit every reply. */
  #stored: number | null;
  /** As {@link #stored}, but read anew after an eviction. */
  #database: number | null = null;
  /** Bytes that sessions may have stored since the last look; they report it themselves before they ask for more. */
  #granted = 0;
  #lookedAtMs = -Infinity;

  constructor(tables: TenantTables) {
    this.#tables = tables;
    this.#stored = tables.storedBytes();
  }

  get stored(): number | null {
    return this.#stored;
  }

  get database(): number | null {
    return this.#database;
  }

  take({ stored_bytes, database_bytes }: CountedBytes): void {
    this.#database = database_bytes;
    this.#granted = 0;
    if (stored_bytes === this.#stored) return;
    this.#tables.putStoredBytes(stored_bytes);
    this.#stored = stored_bytes;
  }

  /**
   * Whether a session may add them, and {@link STORED_BYTES_GRANT} beside.
   * @param refresh Takes D1's count anew; asked for before a refusal, since something may have been deleted.
   */
  async grant(
    bytes: number,
    { stored_bytes }: Pick<Quotas, "stored_bytes">,
    refresh: () => Promise<void>,
  ): Promise<boolean> {
    const hasRoom = () => (this.#stored ?? 0) + this.#granted + bytes <= stored_bytes;
    const sinceMs = Date.now() - this.#lookedAtMs;
    if (!hasRoom() && (sinceMs >= STORED_BYTES_REFRESH_MS || sinceMs < 0)) {
      this.#lookedAtMs = Date.now();
      await refresh();
    }
    if (!hasRoom()) return false;
    this.#granted += bytes + STORED_BYTES_GRANT;
    return true;
  }
}
