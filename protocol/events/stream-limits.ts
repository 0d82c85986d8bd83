// Limits of event streams. Each with its unit and its reason.

/** Open streams of one session. */
export const MAX_SUBSCRIBERS = 200;
/** Open streams of all client tokens of a session: the rest is reserved for API keys. */
export const MAX_CLIENT_SUBSCRIBERS = 160;
/** Open streams of one client token: a person's tabs and devices, and dead connections not yet detected. */
export const MAX_TOKEN_SUBSCRIBERS = 40;
/** Milliseconds between comment frames on a silent stream; below the idle timeout of proxies. */
export const HEARTBEAT_MS = 10_000;
/**
 * Heartbeats, a minute in all, after which a stream with unread data is closed; its reader can resume with a new one.
 */
export const MAX_UNREAD_HEARTBEATS = 6;
/** Milliseconds before a client should reconnect (`retry:`). */
export const STREAM_RETRY_MS = 1_000;
/** Milliseconds without an event after which a `follow=session` stream is closed: an open stream is billed. */
export const FOLLOW_IDLE_MS = 60_000;
/** Milliseconds after which a `follow=session` stream is closed in any case. */
export const FOLLOW_TOTAL_MS = 900_000;
/**
 * Approximate UTF-16 units of the messages that all AG-UI readers of one object fold, each for itself: at two bytes per
 * unit half of an object's memory. One reader is always admitted, however large its message is.
 */
export const MAX_FOLDED_CHARACTERS = 32_000_000;
/** Bytes above which a piece of a stream is one of a backlog; live ones are a few tokens. */
export const BACKLOG_PIECE_BYTES = 16_384;
/** Bytes of a backlog, or of an answer, that are sent in one time slice: some 10 ms in another dialect. */
export const BACKLOG_SLICE_BYTES = 1_000_000;
