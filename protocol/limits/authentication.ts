// Limits of API keys and client tokens. Each with its unit and its reason.

/** Milliseconds for which an API key's record is cached: a revoked key is refused after that time at the latest. */
export const KEY_CACHE_MS = 30_000;
/** Milliseconds for which a cached valid key is accepted while D1 is unavailable. */
export const KEY_STALE_MS = 3_600_000;
/** Milliseconds for which an unknown key is refused without another query. */
export const UNKNOWN_KEY_MS = 10_000;
/** Keys in the cache of one isolate, and as many unknown ones: some megabytes of its 128. */
export const MAX_CACHED_KEYS = 5_000;
/** Milliseconds after which a key lookup counts D1 as unavailable. */
export const KEY_LOOKUP_MS = 5_000;
/** Milliseconds until the next lookup after D1 failed, so that not every request waits for it. */
export const KEY_LOOKUP_RETRY_MS = 5_000;
/** Milliseconds between two writes of a key's last use: one row a minute at any request rate. */
export const LAST_USED_INTERVAL_MS = 60_000;
/** Default milliseconds for which a rotated key's old secret stays valid: a day to deploy the new one. */
export const DEFAULT_ROTATION_OVERLAP_MS = 86_400_000;
/** Maximum overlap of a rotation in milliseconds: a week. */
export const MAX_ROTATION_OVERLAP_MS = 604_800_000;
/** Minimum characters of KEY_PEPPER: the holder of one token could guess a shorter one. */
export const MIN_PEPPER_CHARACTERS = 16;
/** Default lifetime of a client token in seconds. */
export const DEFAULT_TOKEN_TTL_SECONDS = 900;
/** Maximum lifetime of a client token in seconds: a token that leaks from a device should expire soon. */
export const MAX_TOKEN_TTL_SECONDS = 3_600;
/** Origins of one client token. */
export const MAX_ALLOWED_ORIGINS = 16;
/**
 * Characters of a bearer credential, longer ones are refused unread: a client token with the maximum of origins has
 * some 7,000.
 */
export const MAX_BEARER_CHARACTERS = 8_192;
/** Characters of the stream path in a ticket request: one with the longest thread id, URL-encoded, fits. */
export const MAX_STREAM_PATH_CHARACTERS = 6_000;
