// Limits of what comes in before anybody has looked at what it says. Each with its unit and its reason.

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
/** Characters of a credential that is looked at: a client token with all the origins that it may have takes some 7,000. */
export const MAX_BEARER_CHARACTERS = 8_192;
/** Characters of the address of a stream that a ticket is minted for: one with the longest thread's id, encoded, fits. */
export const MAX_STREAM_PATH_CHARACTERS = 6_000;
/** Characters that KEY_PEPPER has at least: a shorter one can be guessed by whoever holds one token. */
export const MIN_PEPPER_CHARACTERS = 16;
/** Characters of a `tracestate` as it came, spaces and all: four times what is passed on. */
export const MAX_TRACESTATE_HEADER_CHARACTERS = 2_048;
/** Characters of a name that an older document writes in capitals; today's have 30 at most. */
export const MAX_ENUM_CHARACTERS = 64;
/** Blocks of one message that comes in: some dozen pictures with their captions are few, and each block is an object of its own. */
export const MAX_MESSAGE_BLOCKS = 1_000;
/** Text deltas of a tool that one read may bring apart from each other; further ones of that read become one. */
export const MAX_DELTAS_OF_A_READ = 64;
