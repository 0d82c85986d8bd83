// Limits of AG-UI runs: of their input, and of the events sent to the client. Each with its unit and its reason.

/** Characters of a thread's id, which clients choose: a URL with its path fits. */
export const MAX_THREAD_ID_CHARACTERS = 512;
/** Characters of a run's id: a UUID has 36, and it is stored in the log with every run. */
export const MAX_RUN_ID_CHARACTERS = 256;
/** Messages of a transcript, which clients send completely each time: looking all of them up takes some 20 ms. */
export const MAX_TRANSCRIPT_MESSAGES = 5_000;
/** Messages of a transcript that are looked up without a time slice of their own: some 2 ms. */
export const QUICK_TRANSCRIPT_MESSAGES = 500;
/** New messages of a transcript that are written in one time slice: some 10 ms. */
export const TRANSCRIPT_BATCH_MESSAGES = 128;
/** JSON values in a run's body, counted before parsing: twenty per message, as one with two calls has. */
export const MAX_TRANSCRIPT_VALUES = 100_000;
/**
 * Characters of an interrupt's id, and of the ids of messages other than the user's, which contain a reply's and a
 * call's id.
 */
export const MAX_SEEN_ID_CHARACTERS = 512;
/** Forks of a thread that are asked for an unknown parent of a run: each is a call of another object. */
export const MAX_ASKED_FORKS = 16;
/** Tools that a client declares in a run: as many as an agent may have. */
export const MAX_CLIENT_TOOLS = 128;
/** Context entries in a run: one for each relevant thing on a page. */
export const MAX_CONTEXT_ENTRIES = 128;
/**
 * Bytes of a run's tools and context together as JSON: they are stored with the reply and sent in each of its model
 * calls.
 */
export const MAX_CLIENT_BYTES = 262_144;
/**
 * Characters of the messages in one event, as JSON: one with an image fits; AG-UI's client fails beyond ten million.
 */
export const MAX_SHOWN_CHARACTERS = 9_000_000;
/**
 * Characters that a reader of a reply holds of the agents that it has called: those that ended first are left out of
 * snapshots beyond.
 */
export const MAX_CALLED_CHARACTERS = 2_000_000;
