// Names of the platform's own headers, in a file that clients bundle without the route table.

/** `true` on a repeated answer: an earlier request with the same `Idempotency-Key` was executed, this one was not. */
export const REPLAYED_HEADER = "Idempotent-Replayed";

/** Header of a streaming POST's answer: the id of the streamed reply. */
export const REPLY_ID_HEADER = "Reprise-Reply-Id";

/** Header of the AG-UI routes' answers: the id of the thread's session. */
export const SESSION_ID_HEADER = "Reprise-Session-Id";
