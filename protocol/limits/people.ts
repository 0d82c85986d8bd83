// Limits of answers from outside, and of the list of what waits for them. Each with its unit and its reason.

/** Calls that one event may answer: as many as an agent may have tools. */
export const MAX_ANSWERED_CALLS = 128;
/** Parts of a tool's input that it may name as those that a person may edit: each goes along with each question. */
export const MAX_EDITABLE_POINTERS = 32;
/** Bytes of a posted event's metadata, and of a result's, as JSON: it stays in one row of the log. */
export const MAX_EVENT_METADATA_BYTES = 65_536;
/** Rules that one answer may switch on; a call has a few suggested ones. */
export const MAX_TAKEN_RULES = 100;
/** Answers in one request to many sessions: as many as a page of the list that they come from. */
export const MAX_BULK_ANSWERS = 100;
/** Sessions that one such request asks at the same time; an isolate holds few connections at once. */
export const BULK_ANSWER_SESSIONS = 6;
/** UTF-16 units, about, of all messages in the answer to such a request; each alone may be as large as a reply gets. */
export const MAX_BULK_MESSAGE_CHARACTERS = 1_000_000;
/** Characters of the list's page token: it names a call, whose id a model may have chosen. */
export const MAX_POSITION_TOKEN_CHARACTERS = 2_048;
/** Bytes of a waiting call's JSON that D1 keeps: a page of a hundred stays below 10 MB. */
export const MAX_LISTED_CALL_BYTES = 65_536;
/** Bytes of all waiting calls of one session that D1 keeps: half of the 2 MB that one bound value may have. */
export const MAX_LISTED_CALLS_BYTES = 1_000_000;
/** Calls of one session that the list shows: with the longest ids they take less than the other half. */
export const MAX_LISTED_CALLS = 500;
