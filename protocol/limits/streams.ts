// Limits of event streams. Each with its unit and its reason.

/** Open streams of one session. */
export const MAX_SUBSCRIBERS = 200;
/** Open streams of all client tokens of a session: the rest is left to the tenant's own keys. */
export const MAX_CLIENT_SUBSCRIBERS = 160;
/** Open streams of one client token: a person's tabs and devices, and those that were cut and not yet missed. */
export const MAX_TOKEN_SUBSCRIBERS = 40;
/** Milliseconds between comment frames on a silent stream; below every proxy's idle limit. */
export const HEARTBEAT_MS = 10_000;
/**
 * Heartbeats within which somebody reads from a stream that has something to say: a minute. One that nobody reads is let
 * go, and its reader goes on where it was with another.
 */
export const UNREAD_BEATS = 6;
/** Milliseconds that a client should wait before it reconnects (`retry:`). */
export const STREAM_RETRY_MS = 1_000;
/** Milliseconds without an event after which a `follow=session` stream is closed: an open stream is billed. */
export const FOLLOW_IDLE_MS = 60_000;
/** Milliseconds after which a `follow=session` stream is closed in any case. */
export const FOLLOW_TOTAL_MS = 900_000;
/**
 * UTF-16 units, about, of the messages that the AG-UI readers of one object fold, each for itself: at two bytes a unit
 * half of the memory that an object may have. One reader is let in however large its message is.
 */
export const MAX_FOLDED_CHARACTERS = 32_000_000;
