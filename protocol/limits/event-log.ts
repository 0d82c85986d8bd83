// Limits of the event log of a session. Each with its unit and its reason.

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
/** UTF-16 units of events that a model may be ahead of storage; unstored ones are held in memory. */
export const MAX_UNSETTLED_CHARACTERS = 1_000_000;
