// A cache of issuers' published keys (JWKS), of one isolate. It bounds what a token can make the platform ask for: one
// read of a key set in `KEY_SET_COOLDOWN_MS`, whatever key ids the tokens name.
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

import {
  KEY_SET_CACHE_MS,
  KEY_SET_COOLDOWN_MS,
  KEY_SET_STALE_MS,
  KEY_SET_TIMEOUT_MS,
  MAX_CACHED_KEY_SETS,
  MAX_KEY_SET_KEYS,
} from "../../protocol/token-issuers/limits.ts";

/** Reads and parses the document at the address. Rejects when it cannot be had. */
export type ReadKeySet = (address: string) => Promise<unknown>;

interface CachedSet {
  /** Null while no read has succeeded. */
  readonly keys: JWTVerifyGetKey | null;
  readonly readAtMs: number;
  /** When the address was asked last, whatever came of it. */
  readonly triedAtMs: number;
}

/** Milliseconds between two looks whether another request has read the keys: in Workers it cannot be waited for itself. */
const LOOK_MS = 50;

/** The keys cannot be had: neither from the address nor, recently enough, from the cache. */
export class KeySetUnavailable extends Error {
  override readonly name = "KeySetUnavailable";
}

export class KeySets {
  readonly #sets = new Map<string, CachedSet>();
  /** When the first read of an address has begun, while it runs. */
  readonly #firstReads = new Map<string, number>();
  readonly #read: ReadKeySet;
  readonly #now: () => number;

  constructor(read: ReadKeySet, now: () => number = () => Date.now()) {
    this.#read = read;
    this.#now = now;
  }

  /**
   * The keys at this address. While it does not answer, those of the last successful read, for `KEY_SET_STALE_MS`.
   * @throws {KeySetUnavailable}
   */
  async find(address: string): Promise<JWTVerifyGetKey> {
    // Tokens that come while an issuer is asked for the first time do not ask it each.
    for (let waitedMs = 0; this.#isFirstRead(address); waitedMs += LOOK_MS) {
      if (waitedMs >= KEY_SET_TIMEOUT_MS) break;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    const cached = this.#sets.get(address);
    const ageMs = cached?.keys ? this.#now() - cached.readAtMs : Infinity;
    if (cached?.keys && ageMs < KEY_SET_CACHE_MS) return cached.keys;
    const read = this.#mayAsk(cached) ? await this.#ask(address, cached) : null;
    if (read) return read;
    if (cached?.keys && ageMs < KEY_SET_CACHE_MS + KEY_SET_STALE_MS) return cached.keys;
    throw new KeySetUnavailable("the issuer's keys cannot be read at the moment");
  }

  /** The keys after another read, for a token whose key was not among them; null when it is too soon, or fails. */
  async refresh(address: string): Promise<JWTVerifyGetKey | null> {
    const cached = this.#sets.get(address);
    return this.#mayAsk(cached) ? this.#ask(address, cached) : null;
  }

  #mayAsk(cached: CachedSet | undefined): boolean {
    return !cached || this.#now() - cached.triedAtMs >= KEY_SET_COOLDOWN_MS;
  }

  /** A read whose request has ended before it is never over, so only time ends it. */
  #isFirstRead(address: string): boolean {
    const beganAtMs = this.#firstReads.get(address);
    return beganAtMs !== undefined && this.#now() - beganAtMs < KEY_SET_TIMEOUT_MS;
  }

  /** Contract: never rejects. Others that come while it reads use what is cached, so a slow issuer is asked once. */
  async #ask(address: string, cached: CachedSet | undefined): Promise<JWTVerifyGetKey | null> {
    const triedAtMs = this.#now();
    if (cached?.keys) this.#put(address, { ...cached, triedAtMs });
    else this.#firstReads.set(address, triedAtMs);
    try {
      const keys = createLocalJWKSet(toKeySet(await this.#read(address)));
      this.#put(address, { keys, readAtMs: this.#now(), triedAtMs });
      return keys;
    } catch (error) {
      console.warn("token issuer: its keys could not be read", { error: String(error) });
      // Another read may have brought keys meanwhile.
      const known = this.#sets.get(address) ?? { keys: null, readAtMs: 0, triedAtMs };
      this.#put(address, { ...known, triedAtMs: Math.max(triedAtMs, known.triedAtMs) });
      return null;
    } finally {
      if (this.#firstReads.get(address) === triedAtMs) this.#firstReads.delete(address);
    }
  }

  #put(address: string, cached: CachedSet): void {
    this.#sets.delete(address);
    this.#sets.set(address, cached);
    const [oldest] = this.#sets.keys();
    if (this.#sets.size > MAX_CACHED_KEY_SETS && oldest !== undefined) this.#sets.delete(oldest);
  }
}

/** @throws for anything but an object with a bounded list of keys. */
function toKeySet(value: unknown): JSONWebKeySet {
  const keys: unknown =
    typeof value === "object" && value !== null && "keys" in value && value.keys;
  if (!Array.isArray(keys)) throw new Error("it is no key set");
  if (keys.length > MAX_KEY_SET_KEYS) throw new Error("it has too many keys");
  return { keys };
}
