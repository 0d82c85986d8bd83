// Limits of what comes in before anybody has looked at what it says. Each with its unit and its reason.

/** Bytes that the buffer of a body begins with; it doubles as bytes come, whatever `Content-Length` promises. */
export const BODY_BUFFER_BYTES = 16_384;
/** Text deltas of a tool that one read may bring apart from each other; further ones of that read become one. */
export const MAX_DELTAS_OF_A_READ = 64;
