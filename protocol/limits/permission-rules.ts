// Limits of permission rules. Each with its unit and its reason.

/** Rules of one session or agent: each is asked for each call of its tool. */
export const MAX_RULES = 1_000;
/** Characters of a rule's content; matching is linear in it. */
export const MAX_RULE_CHARACTERS = 4_096;
/** Characters of the tool's name and of the source in a rule; tools have names of 64. */
export const MAX_RULE_NAME_CHARACTERS = 200;
/** Steps of holding all rules against one call, or against those of one turn: a thousand rules over the longest argument take a tenth, and all some 50 ms. */
export const MAX_RULE_STEPS = 4_000_000;
/** Suggested rules that further calls of one turn are held against; a model may make a thousand calls at once. */
export const MAX_OFFERED_RULES = 100;
/** Rules that one answer may switch on; a call has a few suggested ones. */
export const MAX_TAKEN_RULES = 100;
