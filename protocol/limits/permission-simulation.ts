// Limits of the comparison of rules over past calls. Each with its unit and its reason.

/** Sessions that one page asks, unless the request says otherwise. */
export const DEFAULT_SIMULATED_SESSIONS = 20;
/** Sessions that one page asks at most: with six at once a page takes some seconds. */
export const MAX_SIMULATED_SESSIONS = 50;
/** Sessions that are asked at once; an isolate has few connections. */
export const PARALLEL_SIMULATIONS = 6;
/** Milliseconds that a session may take; it is counted as failed then. */
export const SIMULATION_TIMEOUT_MS = 10_000;
/** Calls that a session compares for one page; the next page goes on behind them. */
export const MAX_SIMULATED_CALLS = 200;
/** Decisions that a session reads for one page, those that are too new included. */
export const MAX_LOOKED_DECISIONS = 1_000;
/** Replies of which a session reads the message for one page: each may be as large as a message can be. */
export const MAX_SIMULATED_REPLIES = 50;
/**
 * Rules times characters of the argument that a session compares for one page: about a quarter of a second with the most
 * expensive rules. One call alone is bounded by `MAX_RULE_STEPS`.
 */
export const MAX_SIMULATED_WORK = 20_000_000;
/** Characters of a page token: the position among the sessions, and in each session that has calls left. */
export const MAX_SIMULATION_TOKEN_CHARACTERS = 8_192;
