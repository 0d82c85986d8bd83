// Limits of permission rules. Each with its unit and its reason.

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
