// How often and how long a reply is brought back before it is ended, with the reason for each size.

/** Milliseconds after which somebody looks whether a running reply still has a runner. */
export const WATCHDOG_INTERVAL_MS = 30_000;
/** Milliseconds after which a timer is tried again whose handler has thrown. */
export const TIMER_RETRY_MS = 30_000;
/** Milliseconds between two tries of a timer at most; each is twice as long after the one before as that was. */
export const TIMER_RETRY_MAX_MS = 3_600_000;
/**
 * Machines that may die of taking up one thing (a reply, a queued reply, an entry for D1, a timer) before it is ended
 * without that work. One death may be a deploy, or an object beside it; three in a row, apart in time, are its own.
 */
export const MAX_LOST_WAKES = 3;
/**
 * Milliseconds over which chance spreads the next try after such a death: objects that died together, of one of them,
 * do not stand at the same point together again. Whoever asks for the session waits for as long.
 */
export const WAKE_SPREAD_MS = 2_000;
/** Milliseconds until a session that this version cannot read is tried again without being asked for: a deploy may help. */
export const UNREADABLE_RETRY_MS = 3_600_000;
/** Milliseconds by which an id may be ahead of the clock and still be taken for the newest: ten years. */
export const MAX_ID_AHEAD_MS = 315_576_000_000;
/** Restarts of a reply in which it came no step further: what kills its machine each time will do so again. */
export const MAX_RECOVERIES_WITHOUT_PROGRESS = 10;
/** Restarts of one reply in all; a deploy is one, and none lives through a hundred. */
export const MAX_RECOVERIES = 100;
/** Milliseconds before a reply runs again that came no step further since its last restart; doubled for each further one. */
export const RECOVERY_BACK_OFF_MS = 1_000;
/** Milliseconds between two restarts at most: whoever waits for the reply still waits. */
export const RECOVERY_BACK_OFF_MAX_MS = 60_000;
/** Milliseconds that a restart waits at most: the longest back-off, or a provider's Retry-After, which is spread upwards. */
export const MAX_RECOVERY_WAIT_MS = 66_000;
