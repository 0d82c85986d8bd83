// What D1 said of the keys that were used here, for a short time. The only thing that an isolate remembers between
// requests; docs/decisions/2026-11-21-key-cache.md says why.
import {
  KEY_CACHE_MS,
  KEY_LOOKUP_RETRY_MS,
  KEY_STALE_MS,
  LAST_USED_INTERVAL_MS,
  MAX_CACHED_KEYS,
  UNKNOWN_KEY_MS,
} from "../../protocol/limits/authentication.ts";
import type { KeyRecord } from "../../storage/credentials/key-record.ts";
import { withLookupDeadline } from "./with-lookup-deadline.ts";

interface CachedKey {
  readonly record: KeyRecord;
  readonly readAtMs: number;
  /** When D1 may be asked again after it failed. */
  retryAtMs: number;
}

/** Asks D1; null for a key that it does not know. */
type Lookup = () => Promise<KeyRecord | null>;

export class KeyCache {
  // Two bounded maps: a flood of wrong keys pushes no good one out.
  readonly #keys = new Map<string, CachedKey>();
  readonly #unknownUntilMs = new Map<string, number>();
  /** By key id: when its last use was noted here. */
  readonly #usedAtMs = new Map<string, number>();
  readonly #capacity: number;
  readonly #now: () => number;

  constructor({ capacity = MAX_CACHED_KEYS, now = () => Date.now() } = {}) {
    this.#capacity = capacity;
    this.#now = now;
  }

  /**
   * The key whose secret has this hash, at most {@link KEY_CACHE_MS} old, or {@link KEY_STALE_MS} while D1 fails.
   * Expiry is the caller's to check. @param confirmStale Asked before a key is served that D1 could not be asked about: what
   * it throws is thrown. Lookups are not shared: the runtime lets no request wait for another's.
   * @throws what `lookup` throws when nothing is known that could be served instead.
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

  /** Whether the key was valid when it was last looked up here, however long ago. Asks nobody. */
  isKnown(hash: string): boolean {
    return this.#keys.has(hash);
  }

  /** Whether it is time to note a use of the key; answers so once in {@link LAST_USED_INTERVAL_MS}. */
  isUseDue({ id, last_used_at }: KeyRecord): boolean {
    const notedAtMs = Math.max(this.#usedAtMs.get(id) ?? 0, Date.parse(last_used_at ?? "") || 0);
    if (this.#now() - notedAtMs < LAST_USED_INTERVAL_MS) return false;
    put(this.#usedAtMs, id, this.#now(), this.#capacity);
    return true;
  }

  /** After a change of a key or of a whole tenant: this isolate asks again at once, others within {@link KEY_CACHE_MS}. */
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

/** A map keeps the order of insertion: when it is full, what was written longest ago goes. */
function put<Value>(map: Map<string, Value>, key: string, value: Value, capacity: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > capacity && oldest !== undefined) map.delete(oldest);
}
