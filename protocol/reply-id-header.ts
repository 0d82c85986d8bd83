// Apart from the route table, which clients do not carry.

/** On the answer of a POST that streams: the id of the reply that the stream shows. */
export const REPLY_ID_HEADER = "Reprise-Reply-Id";
