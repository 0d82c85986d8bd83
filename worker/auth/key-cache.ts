// A short-lived cache of API key records per isolate; see docs/decisions/2026-11-21-key-cache.md.
import {
  KEY_CACHE_MS,
  KEY_LOOKUP_RETRY_MS,
  KEY_STALE_MS,
  LAST_USED_INTERVAL_MS,
  MAX_CACHED_KEYS,
  UNKNOWN_KEY_MS,
} from "../../protocol/keys/limits.ts";
import type { KeyRecord } from "../../storage/keys/key-record.ts";
import { withLookupDeadline } from "./with-lookup-deadline.ts";

interface CachedKey {
  readonly record: KeyRecord;
  readonly readAtMs: number;
  /** Earliest time of the next query after D1 failed. */
  retryAtMs: number;
}

/** Queries D1; null for an unknown key. */
type Lookup = () => Promise<KeyRecord | null>;

export class KeyCache {
  // Two bounded maps, so that a flood of invalid keys does not evict valid ones.
  readonly #keys = new Map<string, CachedKey>();
  readonly #unknownUntilMs = new Map<string, number>();
  /** By key id: when this isolate last recorded a use. */
  readonly #usedAtMs = new Map<string, number>();
  readonly #capacity: number;
  readonly #now: () => number;

  constructor({ capacity = MAX_CACHED_KEYS, now = () => Date.now() } = {}) {
    this.#capacity = capacity;
    this.#now = now;
  }

  /**
   * The record of the key with this hash, at most {@link KEY_CACHE_MS} old, or {@link KEY_STALE_MS} while D1 fails. The
   * caller checks its expiry. @param confirmStale Called before a stale record is returned because D1 failed; its
   * exceptions are passed on. Lookups are not shared, because the runtime does not let a request wait for another's
   * I/O.
   * @throws the errors of `lookup` when no usable record is cached.
   */
  async find(
    hash: string,
    lookup: Lookup,
    confirmStale: (record: KeyRecord) => Promise<void> = async () => undefined,
  ): Promise<KeyRecord | null> {
    const cached = this.#keys.get(hash);
    const ageMs = cached ? this.#now() - cached.readAtMs : Infinity;
    if (
      cached &&
      (ageMs < KEY_CACHE_MS || (ageMs < KEY_STALE_MS && this.#now() < cached.retryAtMs))
    ) {
      return cached.record;
    }
    if ((this.#unknownUntilMs.get(hash) ?? 0) > this.#now()) return null;
    try {
      return this.#remember(hash, await withLookupDeadline(lookup()));
    } catch (error) {
      if (!cached || ageMs >= KEY_STALE_MS) throw error;
      await confirmStale(cached.record);
      cached.retryAtMs = this.#now() + KEY_LOOKUP_RETRY_MS;
      return cached.record;
    }
  }

  /** Whether the key was valid at its last lookup here, however long ago. No query. */
  isKnown(hash: string): boolean {
    return this.#keys.has(hash);
  }

  /** Whether a use of the key should be recorded now; true once per {@link LAST_USED_INTERVAL_MS}. */
  isUseDue({ id, last_used_at }: KeyRecord): boolean {
    const notedAtMs = Math.max(this.#usedAtMs.get(id) ?? 0, Date.parse(last_used_at ?? "") || 0);
    if (this.#now() - notedAtMs < LAST_USED_INTERVAL_MS) return false;
    put(this.#usedAtMs, id, this.#now(), this.#capacity);
    return true;
  }

  /**
   * Invalidates records after a change of a key or tenant: at once in this isolate, within {@link KEY_CACHE_MS} in
   * others.
   */
  forget(isChanged: (record: KeyRecord) => boolean): void {
    for (const [hash, { record }] of this.#keys) if (isChanged(record)) this.#keys.delete(hash);
  }

  #remember(hash: string, record: KeyRecord | null): KeyRecord | null {
    if (record) {
      const cached = { record, readAtMs: this.#now(), retryAtMs: 0 };
      put(this.#keys, hash, cached, this.#capacity);
    } else {
      this.#keys.delete(hash);
      put(this.#unknownUntilMs, hash, this.#now() + UNKNOWN_KEY_MS, this.#capacity);
    }
    return record;
  }
}

/** Evicts the entry written longest ago when the map is full; maps iterate in insertion order. */
function put<Value>(map: Map<string, Value>, key: string, value: Value, capacity: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > capacity && oldest !== undefined) map.delete(oldest);
}
