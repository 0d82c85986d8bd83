// A file of its own, so that clients need not bundle the route table.

/** Header of the AG-UI routes' answers: the id of the thread's session. */
export const SESSION_ID_HEADER = "Reprise-Session-Id";
