// Limits of API keys and client tokens. Each with its unit and its reason.

/** Milliseconds for which what D1 said of an API key is believed: a revoked key is refused that long after at most. */
export const KEY_CACHE_MS = 30_000;
/** Milliseconds for which a key that was valid stays so while D1 cannot be asked. */
export const KEY_STALE_MS = 3_600_000;
/** Milliseconds for which a key that D1 does not know is refused without asking again. */
export const UNKNOWN_KEY_MS = 10_000;
/** Keys that one isolate remembers, and as many unknown ones: some megabytes of its 128. */
export const MAX_CACHED_KEYS = 5_000;
/** Milliseconds that a look-up of a key may take before D1 counts as down. */
export const KEY_LOOKUP_MS = 5_000;
/** Milliseconds until D1 is asked again for a key after it failed: not every request has to wait for it. */
export const KEY_LOOKUP_RETRY_MS = 5_000;
/** Milliseconds between two writes of a key's last use: one row a minute, whatever the traffic. */
export const LAST_USED_INTERVAL_MS = 60_000;
/** Milliseconds for which a rotated key's old secret works when the request says nothing: a day to deploy the new one. */
export const DEFAULT_ROTATION_OVERLAP_MS = 86_400_000;
/** Milliseconds of overlap that a rotation may ask for. */
export const MAX_ROTATION_OVERLAP_MS = 604_800_000;
/** Characters that KEY_PEPPER has at least: a shorter one can be guessed by whoever holds one token. */
export const MIN_PEPPER_CHARACTERS = 16;
/** Seconds that a client token lives when the request says nothing. */
export const DEFAULT_TOKEN_TTL_SECONDS = 900;
/** Seconds that a client token may live: what leaks from a phone should soon be worth nothing. */
export const MAX_TOKEN_TTL_SECONDS = 3_600;
/** Origins of one client token. */
export const MAX_ALLOWED_ORIGINS = 16;
/** Characters of a credential that is looked at: a client token with all the origins that it may have takes some 7,000. */
export const MAX_BEARER_CHARACTERS = 8_192;
/** Characters of the address of a stream that a ticket is minted for: one with the longest thread's id, encoded, fits. */
export const MAX_STREAM_PATH_CHARACTERS = 6_000;
