// Limits of streams that are translated into another dialect. Each with its unit and its reason.

/** Events in one answer while a reply is read again for a reader in its middle; their bytes are bounded anyway. */
export const HISTORY_PAGE_EVENTS = 1_000;
/** Milliseconds between two looks whether an event that was shown is on disk; deltas are at most 250 ms ahead of it. */
export const HISTORY_RETRY_MS = 50;
/** Milliseconds after which a reader is sent away to reconnect: something other than the disk's pace is wrong. */
export const HISTORY_WAIT_MS = 10_000;
