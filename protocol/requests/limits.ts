// Limits of requests, checked before or while they are parsed, rate limits, limits of answers to reads and of the header
// `Idempotency-Key`. Each with its unit and its reason.

/** Bytes of a JSON request body without media; a long conversation turn is far below it. */
export const MAX_BODY_BYTES = 1_000_000;
/** Bytes of a request body on routes that accept media: a large photograph in base64 fits. */
export const MAX_MEDIA_BODY_BYTES = 8_000_000;
/** Levels of nesting in a request body; deeper ones only serve to exhaust a recursive reader. */
export const MAX_INPUT_DEPTH = 64;
/** JSON values in a request body, counted before parsing: each may cause a validation error in memory. */
export const MAX_INPUT_VALUES = 20_000;
/** Errors listed in one problem; more are no further help. */
export const MAX_FIELD_ERRORS = 20;
/** Characters of a pointer in a problem; longer ones are cut at the last parent that fits. */
export const MAX_POINTER_CHARACTERS = 1_000;
/** Bytes of client metadata on one resource, as JSON. */
export const MAX_METADATA_BYTES = 4_096;
/** Characters of a message's id, which a client may choose. */
export const MAX_MESSAGE_ID_CHARACTERS = 128;
/** Seconds for which a browser may cache a preflight response: a day; browsers use less. */
export const PREFLIGHT_MAX_AGE_SECONDS = 86_400;
/** `Retry-After` in seconds while D1 is unavailable. */
export const UNAVAILABLE_RETRY_SECONDS = 2;
/** Seconds for which caches may store the API's documents: a deploy is visible soon. */
export const OPENAPI_MAX_AGE_SECONDS = 300;
/** Window of the rate limits in seconds; the runtime offers 10 and 60, and a refused client should not wait long. */
export const RATE_LIMIT_WINDOW_SECONDS = 10;
/** Requests of one tenant per window and location: far above a shop's traffic, below D1's capacity. */
export const TENANT_REQUESTS_PER_WINDOW = 10_000;
/** Requests of one address per window without a known valid credential: each may cause a query to D1. */
export const UNAUTHENTICATED_REQUESTS_PER_WINDOW = 2_000;
/** Characters of a `tracestate` that is passed on; the number that W3C Trace Context recommends. */
export const MAX_TRACESTATE_CHARACTERS = 512;
/** Bytes of a body with short fields only: names, labels, URLs, one secret. Four times the largest valid one. */
export const MAX_SMALL_BODY_BYTES = 65_536;
/**
 * Bytes of a signed webhook, which is read completely before the sender is authenticated: the memory that anyone can
 * make the platform use.
 */
export const MAX_UNPROVEN_BODY_BYTES = 1_000_000;
/** Characters of a value that is processed in a time slice of its own: some three milliseconds. */
export const LARGE_VALUE_CHARACTERS = 250_000;
/** Initial bytes of a body's buffer, regardless of `Content-Length`: most bodies fit. */
export const BODY_FIRST_BUFFER_BYTES = 16_384;
/** Maximum bytes of that buffer; when full it is decoded to text. */
export const BODY_BUFFER_BYTES = 262_144;
/**
 * Requests of one client token, callback URL or inbound endpoint per window: a hundred per second, while an app that
 * reconnects after every event makes a few dozen. A tenth of a tenant's.
 */
export const TOKEN_REQUESTS_PER_WINDOW = 1_000;
/** Characters of a received `tracestate`, including spaces: four times the part that is passed on. */
export const MAX_TRACESTATE_HEADER_CHARACTERS = 2_048;
/** Characters of an enum value of older documents, in capitals; today's have 30 at most. */
export const MAX_ENUM_CHARACTERS = 64;
/** Blocks of one input message: a few dozen images with captions fit, and each block is an object in memory. */
export const MAX_MESSAGE_BLOCKS = 1_000;
/** Milliseconds for which an isolate keeps the result of `/readyz`, which anyone may request. */
export const READINESS_CACHE_MS = 5_000;
/** Milliseconds that D1, or an object, has to answer `/readyz`. */
export const READINESS_TIMEOUT_MS = 2_000;

/** Default rows on a page of a list. */
export const DEFAULT_PAGE_LIMIT = 20;
/** Maximum rows on a page of a list. */
export const MAX_PAGE_LIMIT = 100;
/** Maximum bytes of items on one page, unless one item alone is larger; an RPC answer may have 32 MiB. */
export const MAX_PAGE_BYTES = 8_000_000;
/** Default days of a usage report. */
export const DEFAULT_USAGE_DAYS = 30;
/** Maximum days of a usage report. */
export const MAX_USAGE_DAYS = 366;
/** Sums that an export of usage reads per query: about a megabyte. */
export const USAGE_EXPORT_ROWS = 5_000;
/**
 * Bytes of one message's JSON up to which lists, replies and receipts contain its content: a body with media fits,
 * including all that is added to it. At two bytes per UTF-16 unit that is half of an RPC answer.
 */
export const MAX_SHOWN_MESSAGE_BYTES = 9_000_000;
/** UTF-16 units of the inputs of waiting calls in one answer: far more than a person can review. */
export const MAX_SHOWN_INPUT_CHARACTERS = 1_000_000;
/** Waiting calls in one answer; the others appear when these are answered. A model's turn has fewer. */
export const MAX_SHOWN_CALLS = 1_000;
/** UTF-16 units of one member (times, counters, metadata) that is kept of a message whose content is omitted. */
export const MAX_OUTLINE_MEMBER_CHARACTERS = 65_536;
/** Bytes of an answer produced at a time: a slow reader holds no more in memory. */
export const ANSWER_PIECE_BYTES = 65_536;
/**
 * Bytes of a large row read at a time: the database loads the complete row for each read, so smaller pieces cost more
 * time than they save memory.
 */
export const STORED_PIECE_BYTES = 250_000;
/** Approximate UTF-16 units of an event besides its content: names, ids and times. */
export const EVENT_ENVELOPE_CHARACTERS = 250;

// The operator's health report.

/** Rows of a backlog that are counted: enough to see that something is wrong, and a few milliseconds. */
export const MAX_COUNTED_BACKLOG = 10_000;
/** Suspended tenants that a report names. */
export const MAX_LISTED_TENANTS = 100;
/** Milliseconds of the last hour. */
export const ACTIVITY_MS = 3_600_000;
/** Milliseconds for which the counters of activity are kept. */
export const ACTIVITY_KEPT_MS = 86_400_000;
/** Milliseconds that a store may take to answer, before it counts as failed. */
export const HEALTH_TIMEOUT_MS = 5_000;

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
