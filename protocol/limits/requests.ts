// Limits of what comes in before anybody has looked at what it says. Each with its unit and its reason.

/** Bytes of a JSON request body without media; a long conversation turn is far below it. */
export const MAX_BODY_BYTES = 1_000_000;
/** Bytes of a request body on the routes that take media: one photograph in base64 with room to spare. */
export const MAX_MEDIA_BODY_BYTES = 8_000_000;
/** Levels of nesting in a request body; deeper ones only serve to exhaust a recursive reader. */
export const MAX_INPUT_DEPTH = 64;
/** Values in a request body, counted before it is parsed: each may become an error of validation in memory. */
export const MAX_INPUT_VALUES = 20_000;
/** Errors that one problem lists; more tell nobody more. */
export const MAX_FIELD_ERRORS = 20;
/** Characters of a pointer in a problem; a longer one stops at the last parent that fits. */
export const MAX_POINTER_CHARACTERS = 1_000;
/** Bytes of client metadata on one resource, as JSON. */
export const MAX_METADATA_BYTES = 4_096;
/** Characters of a message's id, which a client may choose. */
export const MAX_MESSAGE_ID_CHARACTERS = 128;
/** Seconds that a browser may remember a preflight's answer: a day, and browsers take less. */
export const PREFLIGHT_MAX_AGE_SECONDS = 86_400;
/** Seconds after which a client may try again what needed D1 while it was down. */
export const UNAVAILABLE_RETRY_SECONDS = 2;
/** Seconds that a cache may show the documents about the API: a deploy is seen soon after. */
export const OPENAPI_MAX_AGE_SECONDS = 300;
/** Seconds in which requests are counted; the runtime offers 10 and 60, and who was refused should not wait long. */
export const RATE_LIMIT_WINDOW_SECONDS = 10;
/** Requests of one tenant in a window, at each location: far above a shop's traffic, below what D1 answers. */
export const TENANT_REQUESTS_PER_WINDOW = 10_000;
/** Requests of one address in a window with a credential that is wrong or not known yet: each may be a question to D1. */
export const STRANGER_REQUESTS_PER_WINDOW = 2_000;
/** Characters of a tracestate that is passed on; W3C Trace Context asks for this many, and models need none of it. */
export const MAX_TRACESTATE_CHARACTERS = 512;
/** Bytes of a body whose fields are all short: names, labels, addresses, one secret. All that fits does so four times. */
export const MAX_SMALL_BODY_BYTES = 65_536;
/** Bytes of a signed webhook, which is read whole before its sender is known: what anybody may make the platform hold. */
export const MAX_UNPROVEN_BODY_BYTES = 1_000_000;
/** Characters of a value that is handled in a time slice of its own, between two looks at the network: some three milliseconds. */
export const LARGE_VALUE_CHARACTERS = 250_000;
/** Bytes that the buffer of a body begins with, whatever `Content-Length` promises: most bodies fit. */
export const BODY_FIRST_BUFFER_BYTES = 16_384;
/** Bytes that it grows to; what is in it then becomes text. */
export const BODY_BUFFER_BYTES = 262_144;
/**
 * Requests of one client token, callback address or inbound endpoint in a window: a hundred a second, where an app that
 * lost its stream after every event would make some dozen. A tenth of what a tenant has.
 */
export const TOKEN_REQUESTS_PER_WINDOW = 1_000;
/** Characters of a `tracestate` as it came, spaces and all: four times what is passed on. */
export const MAX_TRACESTATE_HEADER_CHARACTERS = 2_048;
/** Characters of a name that an older document writes in capitals; today's have 30 at most. */
export const MAX_ENUM_CHARACTERS = 64;
/** Blocks of one message that comes in: some dozen pictures with their captions are few, and each block is an object of its own. */
export const MAX_MESSAGE_BLOCKS = 1_000;
