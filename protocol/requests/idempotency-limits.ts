// Limits of the header `Idempotency-Key`.

/** Characters of a key; a UUID has 36, and a hash of the request fits too. */
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;
/** Bytes of an answer that is kept in the database of all tenants; of a larger one it is kept that it was given. */
export const MAX_KEPT_ANSWER_BYTES = 65_536;
/** Milliseconds for which a key is stored: a day, within which clients have stopped retrying. */
export const IDEMPOTENCY_KEPT_MS = 86_400_000;
/** Milliseconds after which a request in progress counts as lost: longer than any request that changes D1 only. */
export const IDEMPOTENCY_LEASE_MS = 60_000;
/** `Retry-After` in seconds while the first request is in progress. */
export const IDEMPOTENCY_RETRY_SECONDS = 1;
/** Expired keys that one request deletes: more than it adds, and few enough to be cheap. */
export const IDEMPOTENCY_PURGED_ROWS = 64;
/** Milliseconds between two searches of a session for expired keys; each reads all its keys. */
export const IDEMPOTENCY_PURGE_MS = 3_600_000;
