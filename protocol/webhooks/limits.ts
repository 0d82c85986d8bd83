// Limits of outgoing webhooks. Each with its unit and its reason.

/** Characters of an endpoint's URL; servers refuse longer ones. */
export const MAX_WEBHOOK_URL_CHARACTERS = 2_048;
/** Characters of an endpoint's description. */
export const MAX_WEBHOOK_DESCRIPTION_CHARACTERS = 500;
/**
 * Bytes of a body: Standard Webhooks recommends small ones, because receivers read the complete body before verifying
 * it.
 */
export const MAX_WEBHOOK_BODY_BYTES = 20_000;
/**
 * Calls that one message announces: with ids of any length the body stays below its limit, and the callback URL usable.
 */
export const MAX_WEBHOOK_CALLS = 16;
/** Validity of a callback URL in milliseconds when none of its calls expires: a week. */
export const CALLBACK_TTL_MS = 604_800_000;
/** Timeout of a delivery attempt in milliseconds; the standard recommends 15 to 30 seconds. */
export const WEBHOOK_TIMEOUT_MS = 15_000;
/** Lease of a delivery attempt in milliseconds; an attempt that exceeds it has died with its machine. */
export const WEBHOOK_LEASE_MS = 60_000;
/** Milliseconds before each retry, as recommended by Standard Webhooks: 5 s to 24 h, three days in all. */
export const WEBHOOK_RETRY_MS = [
  5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
] as const;
/** Longest delay in milliseconds that the queue supports and that a receiver's `Retry-After` may request: a day. */
export const MAX_WEBHOOK_DELAY_MS = 86_400_000;
/** Milliseconds before the retry of a job that failed on our side, for example because D1 is down. */
export const WEBHOOK_FAULT_DELAY_MS = 30_000;
/** Milliseconds of failures without a single success after which an endpoint is disabled: five days. */
export const WEBHOOK_FAILING_MS = 432_000_000;
/** Retention of deliveries in milliseconds: a month, for inspection and redelivery. */
export const WEBHOOK_KEPT_MS = 2_592_000_000;
/** Expired deliveries that one attempt deletes: more than one, so that the table shrinks. */
export const MAX_CLEARED_DELIVERIES = 20;
/**
 * Concurrent attempts of one endpoint: a receiver that answers in 100 ms still gets forty messages a second, and one
 * that hangs occupies little.
 */
export const MAX_ENDPOINT_ATTEMPTS = 4;
/** Concurrent attempts of one tenant: it takes five hanging endpoints to delay its others. */
export const MAX_TENANT_ATTEMPTS = 20;
/** Waiting deliveries that start when an attempt ends: two, so that concurrency grows to its limit. */
export const MAX_PROMOTED_DELIVERIES = 2;
/** Consecutive attempts in one run of the consumer while deliveries wait: bounded by its subrequest limit. */
export const MAX_ATTEMPTS_IN_A_ROW = 20;
/**
 * Milliseconds after which a run of the consumer starts no further attempt: work after its response may take 30 s, of
 * which a receiver has 15.
 */
export const ATTEMPTS_IN_A_ROW_MS = 10_000;
/** Consecutive attempts without an answer, or with 429 or 5xx, after which an endpoint's circuit breaker opens. */
export const CIRCUIT_FAILURES = 5;
/** Milliseconds until an open circuit allows one attempt; doubled after each failure. */
export const CIRCUIT_RETRY_MS = 60_000;
/**
 * Longest time between two such attempts in milliseconds: a recovered receiver is detected within a quarter of an hour.
 */
export const MAX_CIRCUIT_RETRY_MS = 900_000;
