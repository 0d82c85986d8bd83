// Limits of replies, and of their recovery: watchdog, timers, restarts, and objects whose machine dies while they wake.
// Each with its unit and its reason.

/** Queued replies of one session; more indicate a faulty client. */
export const MAX_QUEUED_REPLIES = 16;
/** Bytes of their inputs, as JSON: two bodies with media. */
export const MAX_QUEUED_BYTES = 16_000_000;
/** Messages in one reply's input. An AG-UI transcript may contain more. */
export const MAX_INPUT_MESSAGES = 100;
/** Milliseconds that a POST waits for the reply before it answers 202. */
export const REPLY_WAIT_MS = 120_000;
/** Milliseconds that the start of a reply waits for D1 to return the agent's newest version. */
export const AGENT_REFRESH_MS = 2_000;
/** Bytes of stored messages in a reply's context, newest first: what 128 MB of memory allow. */
export const MAX_HISTORY_BYTES = 8_000_000;
/** Bytes of them read at a time: some two milliseconds during which the object handles no request. */
export const HISTORY_SLICE_BYTES = 262_144;
/** Default rounds of model call and tools before a reply ends with `exceed_max_iters`. */
export const DEFAULT_MAX_ITERS = 20;
/** Maximum of an agent's `max_iters`. */
export const MAX_MAX_ITERS = 200;
/**
 * Milliseconds that the opening of one called agent's session keeps the tenant's next one waiting at most: about what one
 * takes of an isolate, so that a hundred are no heap that everybody else waits behind.
 */
export const SPACED_START_MS = 25;
/** Tenants whose replies' turns one isolate keeps in order; the one that was used longest ago begins anew. */
export const MAX_TURN_LINES = 1_000;
/**
 * Milliseconds after which a reply that waits for its turn, and does not look whether it has come, counts as gone with its
 * object: it looks every few.
 */
export const TURN_ABANDONED_MS = 1_000;
/** Characters of the text, or of the instructions to the model, that an agent's `on_interrupt` has: a paragraph. */
export const MAX_INTERRUPT_TEXT_CHARACTERS = 2_000;
/**
 * Milliseconds in which the model may say something about an interrupt: the reply is open that long, and AgentScope's
 * page takes an interrupt for lost after ten seconds.
 */
export const INTERRUPT_REMARK_MS = 8_000;
/** Characters of what it says: a paragraph. */
export const MAX_INTERRUPT_REMARK_CHARACTERS = 2_000;
/** Rounds beyond `max_iters` in which the model must submit its structured output. */
export const STRUCTURED_OUTPUT_GRACE_ROUNDS = 5;
/** Default running time of a reply in seconds, without waiting: twice what long ones take. */
export const DEFAULT_REPLY_SECONDS = 7_200;
/** Maximum running time of a reply in seconds: a day. */
export const MAX_REPLY_SECONDS = 86_400;
/** Maximum tokens of one reply, also without a budget: a thousand full contexts of a large model. */
export const MAX_REPLY_TOKENS = 200_000_000;
/** Approximate UTF-16 units of one reply's message: an RPC answer may have 32 MiB, at two bytes per unit. */
export const MAX_REPLY_CHARACTERS = 12_000_000;
/** Blocks of one reply, after which no further model call is made: 200 rounds of 20 calls have some 8,000. */
export const MAX_REPLY_BLOCKS = 10_000;
/**
 * UTF-16 units of one reply's events, including discarded ones: ten times its message, or half a million single tokens.
 */
export const MAX_REPLY_LOG_CHARACTERS = 128_000_000;

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
