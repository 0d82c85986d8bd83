// Limits of what an object does when the world around it fails. Each with its unit and its reason.

/** Milliseconds that a delivery to D1 and the queue may take: D1 gives a query 30 s, and a delivery is a few. */
export const OUTBOX_DELIVERY_MS = 120_000;
/** Entries that are delivered at once: an hour without D1 then takes few calls, and each call stays short. */
export const MAX_OUTBOX_BATCH = 10;
/** UTF-16 units of entries, about, after which a delivery takes no further entry. */
export const MAX_OUTBOX_BATCH_CHARACTERS = 1_000_000;
/** Part of a wait that chance takes off: sessions that lost D1 at the same moment do not all come back at the same one. */
export const OUTBOX_RETRY_JITTER = 0.2;
/** Milliseconds until a session that D1 may not list is looked for there: whoever lists it has long been answered. */
export const LISTING_MS = 120_000;
/** Milliseconds after which a timer is tried again whose handler has thrown. */
export const TIMER_RETRY_MS = 30_000;
/** Milliseconds between two tries of a timer at most; each is twice as long after the one before as that was. */
export const TIMER_RETRY_MAX_MS = 3_600_000;
