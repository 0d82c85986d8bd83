// Limits of the header `Idempotency-Key`.

/** Characters of a key; UUIDs have 36, and a hash of what is asked fits too. */
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;
/** Milliseconds for which a key is remembered: a day, within which a client has given up or found out. */
export const IDEMPOTENCY_KEPT_MS = 86_400_000;
/**
 * Milliseconds after which a request counts as dead that D1 has heard nothing more of: longer than any request takes
 * that acts on D1 alone.
 */
export const IDEMPOTENCY_LEASE_MS = 60_000;
/** Seconds after which a client may ask again about a request that is under way. */
export const IDEMPOTENCY_RETRY_SECONDS = 1;
/** Rows of keys that are over which one request removes: more than it adds, and few enough to cost it nothing. */
export const IDEMPOTENCY_PURGED_ROWS = 64;
/** Milliseconds between two looks of a session for keys that are over; each reads all that it has. */
export const IDEMPOTENCY_PURGE_MS = 3_600_000;
