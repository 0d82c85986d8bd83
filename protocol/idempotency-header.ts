// Apart from the route table, which clients do not carry.

/** `true` on an answer for which nothing was done: the first request with its `Idempotency-Key` had done it. */
export const REPLAYED_HEADER = "Idempotent-Replayed";
