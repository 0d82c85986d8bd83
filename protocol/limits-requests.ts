// Limits of what comes in before anybody has looked at what it says. Each with its unit and its reason.

/** Bytes that the buffer of a body begins with; it doubles as bytes come, whatever `Content-Length` promises. */
export const BODY_BUFFER_BYTES = 16_384;
/** Characters of a credential that is looked at: a client token with all the origins that it may have takes some 7,000. */
export const MAX_BEARER_CHARACTERS = 8_192;
/** Characters of a `tracestate` as it came, spaces and all: four times what is passed on. */
export const MAX_TRACESTATE_HEADER_CHARACTERS = 2_048;
/** Characters of a name that an older document writes in capitals; today's have 30 at most. */
export const MAX_ENUM_CHARACTERS = 64;
/** Text deltas of a tool that one read may bring apart from each other; further ones of that read become one. */
export const MAX_DELTAS_OF_A_READ = 64;
