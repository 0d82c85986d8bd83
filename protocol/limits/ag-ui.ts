// Limits of what a client of AG-UI sends to begin a run, and of what it is shown. Each with its unit and its reason.

/** Characters of a thread's id, which a client makes up: an address with its path fits. */
export const MAX_THREAD_ID_CHARACTERS = 512;
/** Characters of a run's id: a UUID has 36, and it stands in the log with every run. */
export const MAX_RUN_ID_CHARACTERS = 256;
/** Messages of a transcript, which clients send whole each time: looking them all up takes some 20 ms. */
export const MAX_TRANSCRIPT_MESSAGES = 5_000;
/** Values in a run's body, counted before it is parsed: twenty for each message, as one with two calls has. */
export const MAX_TRANSCRIPT_VALUES = 100_000;
/** Characters of an interrupt's id, and of a message's that is not a user's: ours are named after a reply and a call. */
export const MAX_SEEN_ID_CHARACTERS = 512;
/** Tools that a client brings: as many as an agent may have. */
export const MAX_CLIENT_TOOLS = 128;
/** Pieces of context that a client brings: one for each thing on a page that is worth telling. */
export const MAX_CONTEXT_ENTRIES = 128;
/** Bytes of a run's tools and context together as JSON: they are stored with the reply and in each of its model calls. */
export const MAX_CLIENT_BYTES = 262_144;
/** Characters of the messages in one event, as JSON: one with a picture fits, and its client gives up beyond ten million. */
export const MAX_SHOWN_CHARACTERS = 9_000_000;
