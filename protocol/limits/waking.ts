// What an object may do to itself by taking up what its last machine has left: what kills a machine once may kill the
// next one too, and takes the objects beside it along.

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
