// A file of its own, so that clients need not bundle the route table.

/** `true` on a repeated answer: an earlier request with the same `Idempotency-Key` was executed, this one was not. */
export const REPLAYED_HEADER = "Idempotent-Replayed";
