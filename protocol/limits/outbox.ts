// Limits of the outbox, the deliveries from a session to D1. Each with its unit and its reason.

/** Milliseconds that a delivery to D1 and the queue may take: D1 allows a query 30 s, and a delivery is several. */
export const OUTBOX_DELIVERY_MS = 120_000;
/** Entries per delivery: after an hour without D1 few calls suffice, and each stays short. */
export const MAX_OUTBOX_BATCH = 10;
/** Approximate UTF-16 units of entries, after which a delivery takes no further entry. */
export const MAX_OUTBOX_BATCH_CHARACTERS = 1_000_000;
/** Milliseconds before the first retry of a failed delivery. */
export const OUTBOX_RETRY_MS = 5_000;
/** Longest delay between retries in milliseconds; each is about the age of the oldest entry. */
export const OUTBOX_RETRY_MAX_MS = 600_000;
/** Random part of a delay, so that sessions that lost D1 together do not retry together. */
export const OUTBOX_RETRY_JITTER = 0.2;
/** Milliseconds until a new session checks that D1 lists it: the request that lists it has ended by then. */
export const LISTING_CHECK_MS = 120_000;
