// Limits of deliveries from a session to D1. Each with its unit and its reason.

/** Milliseconds that a delivery to D1 and the queue may take: D1 gives a query 30 s, and a delivery is a few. */
export const OUTBOX_DELIVERY_MS = 120_000;
/** Entries that are delivered at once: an hour without D1 then takes few calls, and each call stays short. */
export const MAX_OUTBOX_BATCH = 10;
/** UTF-16 units of messages, about, after which a delivery takes no further entry. */
export const MAX_OUTBOX_BATCH_CHARACTERS = 1_000_000;
/** Milliseconds after which a delivery to D1 that failed is tried again, at first. */
export const OUTBOX_RETRY_MS = 5_000;
/** Milliseconds between two tries at most; each waits about as long as the oldest entry is old. */
export const OUTBOX_RETRY_MAX_MS = 600_000;
/** Part of a wait that chance takes off: sessions that lost D1 at the same moment do not all come back at the same one. */
export const OUTBOX_RETRY_JITTER = 0.2;
/** Milliseconds until a session that D1 may not list is looked for there: whoever lists it has long been answered. */
export const LISTING_MS = 120_000;
/** Bytes of a message's JSON that D1 keeps; with its text beside it the row stays below 1 MB. */
export const MAX_LISTED_MESSAGE_BYTES = 500_000;
/** Bytes of a message's text that D1 keeps. */
export const MAX_LISTED_TEXT_BYTES = 400_000;
