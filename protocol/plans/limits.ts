// Limits of a session's plans. Each with its unit and its reason.

/** Subtasks of one plan that an agent may set as its limit, and has without one: a model that is shown more follows none. */
export const MAX_PLAN_SUBTASKS = 100;
/** Subtasks in a list, also of an agent without a limit: more never fit, each takes 190 of `MAX_PLAN_BYTES` at least. */
export const MAX_LISTED_SUBTASKS = 200;
/** Bytes of one plan as JSON: each change puts the whole of it into the log, and the model may read all of it. */
export const MAX_PLAN_BYTES = 32_768;
/** Earlier plans that a session keeps; the oldest ones leave. */
export const MAX_PLAN_HISTORY = 20;
/** Bytes of all earlier plans as JSON: they are stored as one value, together with the current one. */
export const MAX_PLAN_HISTORY_BYTES = 262_144;
/** Characters of a plan's or a subtask's name: one line of a list. */
export const MAX_PLAN_NAME_CHARACTERS = 200;
/** Characters of a description, an expected outcome, an outcome, or the criteria of an acceptance. */
export const MAX_PLAN_TEXT_CHARACTERS = 4_096;
/** Characters of the id of a plan or a subtask. */
export const MAX_PLAN_ID_CHARACTERS = 64;
/** Characters of a template of the hint, without what it is filled with. */
export const MAX_PLAN_HINT_CHARACTERS = 4_096;
/** Bytes of the rules in a change's `permission_context`; with more of them it is left out. */
export const MAX_CHANGE_RULES_BYTES = 16_384;
