// Limits of the event log of a session and of its streams. Each with its unit and its reason.

/** Milliseconds of the window in which deltas are merged; the first is sent at once (leading edge). */
export const DELTA_SEND_WINDOW_MS = 5;
/** Milliseconds that streamed deltas may be ahead of storage. */
export const DELTA_COMMIT_MS = 250;
/** Bytes of unstored frames after which they are committed early. */
export const DELTA_COMMIT_BYTES = 32_768;
/** Seqs reserved with one durable write. */
export const SEQ_RESERVATION = 1_000;
/** Bytes of one value in a row; the platform refuses 2 MB. */
export const MAX_ROW_BYTES = 1_000_000;
/** Characters of one delta; longer ones are split, to stay well below the row limit. */
export const MAX_DELTA_CHARACTERS = 128_000;
/** Approximate UTF-16 units of an event in the log besides its content. */
export const EVENT_CHARACTERS = 200;
/** Minimum seconds of an agent's `log_retention`: who reconnects in the minute after a reply gets the frames that others got. */
export const MIN_LOG_RETENTION_SECONDS = 60;
/** Maximum seconds of an agent's `log_retention`: a year. */
export const MAX_LOG_RETENTION_SECONDS = 31_536_000;
/** Longest wait in milliseconds beyond a reply's `log_retention`, at most an eighth of that: its session's replies of an hour are condensed together, by one alarm. */
export const MAX_CONDENSING_DELAY_MS = 3_600_000;
/** Milliseconds after which condensing goes on that a running reply, or the loss of the machine, has broken off. */
export const CONDENSING_RETRY_MS = 300_000;
/** Bytes of the frames and texts of stored rows that condensing joins to one: each of its readers reads it as a whole. */
export const MAX_JOINED_BYTES = 65_536;
/** Rows that one step of condensing reads. */
export const MAX_CONDENSING_ROWS = 256;
/** Bytes, as frames, that one step of condensing reads: some milliseconds, then other requests are served. */
export const MAX_CONDENSING_BYTES = 262_144;
/** UTF-16 units of events that a model may be ahead of storage; unstored ones are held in memory. */
export const MAX_UNSETTLED_CHARACTERS = 1_000_000;

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
/**
 * Bytes that a WebSocket is sent at once: nothing tells how much of it the client has read, so that a long backlog comes at
 * {@link SOCKET_BYTES_PER_SECOND} behind them. A conversation is smaller.
 */
export const SOCKET_BURST_BYTES = 4_000_000;
/** Bytes of a second behind those: less than most networks take, so that little waits in memory. */
export const SOCKET_BYTES_PER_SECOND = 1_000_000;
/**
 * Bytes that one WebSocket is sent in all; then it is closed, and its reader goes on with its cursor on the next one, which
 * shows that it has read them. Some hours of a model's text; what waits for one that reads nothing is less.
 */
export const MAX_SOCKET_BYTES = 16_000_000;
/**
 * Bytes that all readers of one object are sent in all, each its share, with one event at least: what waits for those that read
 * nothing lies in the object's memory, a quarter of which this is.
 */
export const MAX_READERS_BYTES = 32_000_000;
/** Frames that a reader of events may send: it has nothing to say, and each wakes the object. `ping` is answered without. */
export const MAX_READER_FRAMES = 100;
/** Bytes above which a piece of a stream is one of a backlog; live ones are a few tokens. */
export const BACKLOG_PIECE_BYTES = 16_384;
/** Bytes of a backlog, or of an answer, that are sent in one time slice: some 10 ms in another dialect. */
export const BACKLOG_SLICE_BYTES = 1_000_000;
