// Limits of the tasks that MCP servers give in place of a result. Each with its unit and its reason.

/** Milliseconds between two looks at a task when its server does not say. */
export const MCP_TASK_POLL_MS = 5_000;
/** Milliseconds between two looks at a task at least, whatever its server says: each wakes the session. */
export const MIN_MCP_TASK_POLL_MS = 1_000;
/** Milliseconds between two looks at a task at most: a result is not late by more. */
export const MAX_MCP_TASK_POLL_MS = 60_000;
/** The part of a task's age after which it is looked at again: one that takes hours is asked for less often. */
export const MCP_TASK_POLL_SHARE = 0.05;
/** Milliseconds of one look at a task: it is a short answer. A look that is lost with its machine is made again after it. */
export const MCP_TASK_LOOK_MS = 10_000;
/** Milliseconds that a task may take in all; its server may say less. */
export const MAX_MCP_TASK_MS = 86_400_000;
/** Milliseconds that a task is given at least, whatever its server says: two looks. */
export const MIN_MCP_TASK_MS = 2_000;
/** Milliseconds for which a server may not answer for a task before its call ends: a deploy, and more. */
export const MCP_TASK_SILENCE_MS = 900_000;
/** Times that a call may go on with a task that has no result then: its server says this and that. */
export const MAX_MCP_TASK_ROUNDS = 32;
/** Characters of a task's id: newer servers are sent it in a header. */
export const MAX_MCP_TASK_ID_CHARACTERS = 1_024;
/** Characters of what a server says of a task, on one line. */
export const MAX_MCP_TASK_MESSAGE_CHARACTERS = 200;
