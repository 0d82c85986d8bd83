// The limits of outgoing webhooks, each with its unit and the reason for its size.

/** Characters of an endpoint's address; servers refuse longer ones. */
export const MAX_WEBHOOK_URL_CHARACTERS = 2_048;
/** Characters of an endpoint's description. */
export const MAX_WEBHOOK_DESCRIPTION_CHARACTERS = 500;
/** Bytes of a body; Standard Webhooks asks for less, so that receivers can read it whole before they believe it. */
export const MAX_WEBHOOK_BODY_BYTES = 20_000;
/** Calls that one message announces; with ids of any length the body stays below its limit, and the address usable. */
export const MAX_WEBHOOK_CALLS = 16;
/** Milliseconds that a callback address holds when none of its calls expires: a week. */
export const CALLBACK_TTL_MS = 604_800_000;
/** Milliseconds that a receiver has to answer; the standard asks for 15 to 30 seconds. */
export const WEBHOOK_TIMEOUT_MS = 15_000;
/** Milliseconds for which an attempt has its delivery for itself; one that is not over then has died with its machine. */
export const WEBHOOK_LEASE_MS = 60_000;
/** Milliseconds before each further attempt, as Standard Webhooks suggests them: 5 s to 24 h, three days in all. */
export const WEBHOOK_RETRY_MS = [
  5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
] as const;
/** Milliseconds that the queue can hold a message back, and a receiver's Retry-After be honoured: a day. */
export const MAX_WEBHOOK_DELAY_MS = 86_400_000;
/** Milliseconds after which the queue gives a job again that failed on our side, D1 being down for one. */
export const WEBHOOK_FAULT_DELAY_MS = 30_000;
/** Milliseconds without a single success, failures only, after which an endpoint is disabled: five days. */
export const WEBHOOK_FAILING_MS = 432_000_000;
/** Milliseconds for which a delivery is kept: a month, to look at or to send again. */
export const WEBHOOK_KEPT_MS = 2_592_000_000;
/** Deliveries that one attempt clears away when they are too old; more than one, so that the table shrinks. */
export const MAX_CLEARED_DELIVERIES = 20;
/**
 * Attempts of one endpoint that are under way at a time: one that answers in 100 ms still takes forty messages a second,
 * and one that hangs holds next to nothing.
 */
export const MAX_ENDPOINT_ATTEMPTS = 4;
/** Attempts of one tenant that are under way at a time: it takes five endpoints that hang to delay its others. */
export const MAX_TENANT_ATTEMPTS = 20;
/** Deliveries that wait and are let in by the end of an attempt: two, so that the width grows to what is allowed. */
export const MAX_CALLED_DELIVERIES = 2;
/** Attempts that one run of the consumer makes in a row when others wait: it has to stay within its subrequests. */
export const MAX_ATTEMPTS_IN_A_ROW = 20;
/**
 * Milliseconds after which a run of the consumer begins no further attempt: what it does behind its answer may last for
 * 30 s, of which a receiver has 15.
 */
export const ATTEMPTS_IN_A_ROW_MS = 10_000;
/** Attempts without an answer, or with 429 or 5xx, in a row, after which an endpoint's circuit opens. */
export const CIRCUIT_FAILURES = 5;
/** Milliseconds until an open circuit lets one attempt through; twice as long after each that fails. */
export const CIRCUIT_RETRY_MS = 60_000;
/** Milliseconds between two such attempts at most: a receiver that is back is found within a quarter of an hour. */
export const MAX_CIRCUIT_RETRY_MS = 900_000;
