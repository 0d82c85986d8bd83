// Limits of requests, checked before or while they are parsed, and rate limits. Each with its unit and its reason.

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
