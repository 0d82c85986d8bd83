// Limits of background tasks, each with its unit and its reason.

/** Milliseconds that a call of a tool with `background_after_ms` may take: a held request costs its machine. */
export const MAX_BACKGROUND_TIMEOUT_MS = 900_000;
/** Requests of one session that stay open behind their replies: half of the connections that a Worker may have. */
export const MAX_HELD_REQUESTS = 3;
/** Tasks of one session that work at once. */
export const MAX_WORKING_TASKS = 100;
/** Milliseconds in which a result may be posted, from the call on: a day. */
export const TASK_RESULT_MS = 86_400_000;
/** Milliseconds between two looks whether a request is still held: a look keeps the session's object awake. */
export const HELD_LOOK_MS = 30_000;
/** Replies that tasks begin without a message of a person between: a loop ends here. */
export const MAX_WAKES = 20;
/** Milliseconds until an end whose reply could not begin is tried again, at first. */
export const WAKE_RETRY_MS = 15_000;
/** Milliseconds until it is tried again when it has waited for long: a tenant may be suspended for months. */
export const MAX_WAKE_RETRY_MS = 300_000;
/** Milliseconds for which a task that has ended is listed: a week. */
export const ENDED_TASK_MS = 604_800_000;
/** Tasks in a list: all that work, and the newest of the others. */
export const MAX_LISTED_TASKS = 200;
/** Characters of a result's text in the hint that begins a reply; the middle of a longer one is left out. */
export const MAX_TASK_TEXT_CHARACTERS = 100_000;
/** Stopped tasks that the model is told of at its next call. */
export const MAX_STOPPED_TOLD = 20;
