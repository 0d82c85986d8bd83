// Limits of what an answer to a call may bring with it. Each with its unit and its reason.

/** Characters of a person's reason for a refusal that the model is told: a sentence or a few. */
export const MAX_DENIAL_REASON_CHARACTERS = 1_000;
/** Characters of the tool's name and of the source in a rule; tools have names of 64. */
export const MAX_RULE_NAME_CHARACTERS = 200;
/** Suggested rules that further calls of one turn are held against; a model may make a thousand calls at once. */
export const MAX_OFFERED_RULES = 100;
/** Characters that an answer may add to a reply without room for more: nobody could end the call otherwise. */
export const MIN_ANSWER_CHARACTERS = 2_000;
