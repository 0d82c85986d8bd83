// Limits of the event log of a session. Each with its unit and its reason.

/** Milliseconds of the leading-edge window in which deltas are merged: the first goes at once. */
export const DELTA_SEND_WINDOW_MS = 5;
/** Milliseconds that visible deltas may run ahead of the disk. */
export const DELTA_COMMIT_MS = 250;
/** Bytes of frames that wait for the disk before they are committed early. */
export const DELTA_COMMIT_BYTES = 32_768;
/** Seqs that are reserved at once; one durable write buys this many numbers. */
export const SEQ_RESERVATION = 1_000;
/** Bytes of one value in a row; the platform refuses 2 MB. */
export const MAX_ROW_BYTES = 1_000_000;
/** Characters of one delta; a longer one is split, so that no row comes near the platform's limit. */
export const MAX_DELTA_CHARACTERS = 128_000;
/** UTF-16 units that an event takes in the log beside what it brings, about. */
export const EVENT_CHARACTERS = 200;
/** UTF-16 units of events that a model may be ahead of the disk; what is not written yet is held in memory. */
export const MAX_UNSETTLED_CHARACTERS = 1_000_000;
