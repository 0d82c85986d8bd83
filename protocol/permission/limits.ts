// Limits of permission rules and of what is known of untrusted content. Each with its unit and its reason.

/** Rules of one session or agent: each is evaluated for each call of its tool. */
export const MAX_RULES = 1_000;
/** Characters of a rule's content; matching is linear in it. */
export const MAX_RULE_CHARACTERS = 4_096;
/** Characters of the tool's name and of the source in a rule; tool names have 64 at most. */
export const MAX_RULE_NAME_CHARACTERS = 200;
/**
 * Steps of matching all rules against one call, or those of one turn: a thousand rules on the longest argument take a
 * tenth, and all take some 50 ms.
 */
export const MAX_RULE_STEPS = 4_000_000;
/** Suggested rules that further calls of one turn are matched against; a model may make many calls at once. */
export const MAX_OFFERED_RULES = 100;
/** Rules that one answer may add; a call suggests only a few. */
export const MAX_ACCEPTED_RULES = 100;
/** Decisions of one reply that D1 lists, per delivery: the newest; a session's own record has all. */
export const MAX_LISTED_DECISIONS = 1_000;
/** Decisions that one statement writes: with the longest rules far below the 2 MB of a bound value. */
export const DECISIONS_PER_STATEMENT = 50;
/** Characters of a reason in the list of all sessions; the session's own record has it whole. */
export const MAX_LISTED_REASON_CHARACTERS = 300;
/** Decisions scanned for one page of the list of all sessions, before its filter: ten of the largest pages. */
export const MAX_SCANNED_DECISIONS = 1_000;

// The comparison of two permissions over past calls.

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
/** Results that a session remembers one by one. Of more, the oldest ones become one that never leaves the context. */
export const MAX_UNTRUSTED_RESULTS = 100;
/** Tools that a question names as the sources of untrusted content: they fit in a sentence. */
export const MAX_NAMED_SOURCES = 3;
/** Characters of the name of a message's source: a trigger's name has 200. */
export const MAX_SOURCE_NAME_CHARACTERS = 256;
/** Sources that the metadata of a question lists, the newest ones. */
export const MAX_LISTED_SOURCES = 10;
