// Limits of recovery: watchdog, timers, restarts of replies, and objects whose machine dies while they wake. Each with
// its unit and its reason.

/** Milliseconds between two checks whether a running reply still has an execution. */
export const WATCHDOG_INTERVAL_MS = 30_000;
/** Milliseconds before the first retry of a timer whose handler failed; doubled each time. */
export const TIMER_RETRY_MS = 30_000;
/** Longest delay between retries of a timer in milliseconds. */
export const TIMER_RETRY_MAX_MS = 3_600_000;
/**
 * Crashes of the object while it handles one item (a reply, a queued reply, an outbox entry, a timer) before it is given
 * up. One crash may be caused by a deploy or by another object; three at separate times are caused by the item itself.
 */
export const MAX_CRASHES_WHILE_WAKING = 3;
/**
 * Milliseconds over which the next attempt is spread at random, so that objects that crashed together, because of one of
 * them, do not resume together. Requests to the session wait for as long.
 */
export const WAKE_SPREAD_MS = 2_000;
/** Milliseconds until a session that this version cannot read is retried without a request: a deploy may help. */
export const UNREADABLE_RETRY_MS = 3_600_000;
/** Milliseconds by which an id's time may be ahead of the clock and still count as the newest: ten years. */
export const MAX_ID_AHEAD_MS = 315_576_000_000;
/** Restarts of a reply without progress: whatever kills its machine each time will do so again. */
export const MAX_RECOVERIES_WITHOUT_PROGRESS = 10;
/** Restarts of one reply in all; a deploy causes one, and no reply lasts for a hundred. */
export const MAX_RECOVERIES = 100;
/** Milliseconds before a reply without progress is restarted; doubled each time. */
export const RECOVERY_BACK_OFF_MS = 1_000;
/** Longest delay between restarts in milliseconds, because a client is waiting. */
export const RECOVERY_BACK_OFF_MAX_MS = 60_000;
/** Longest delay of a restart in milliseconds: the longest back-off, or a provider's `Retry-After` with jitter. */
export const MAX_RECOVERY_WAIT_MS = 66_000;
