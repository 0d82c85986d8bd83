// A file of its own, so that clients need not bundle the route table.

/** Header of a streaming POST's answer: the id of the streamed reply. */
export const REPLY_ID_HEADER = "Reprise-Reply-Id";
