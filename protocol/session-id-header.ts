// Apart from the route table, which clients do not carry.

/** On the answers of AG-UI's routes: the id of the session that is the thread. */
export const SESSION_ID_HEADER = "Reprise-Session-Id";
