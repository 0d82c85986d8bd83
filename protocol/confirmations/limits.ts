// Limits of answers to waiting calls, and of the list of waiting calls. Each with its unit and its reason.

/** Calls that one event may answer: as many as an agent may have tools. */
export const MAX_ANSWERED_CALLS = 128;
/** Bytes of a posted event's metadata, and of a result's, as JSON: stored in one row of the log. */
export const MAX_EVENT_METADATA_BYTES = 65_536;
/** Answers in one bulk request: as many as one page of the list of waiting calls. */
export const MAX_BULK_ANSWERS = 100;
/** Sessions that a bulk request calls concurrently; an isolate has few connections. */
export const BULK_ANSWER_SESSIONS = 6;
/** Approximate UTF-16 units of all messages in the answer to a bulk request; each alone may be as large as a reply. */
export const MAX_BULK_MESSAGE_CHARACTERS = 1_000_000;
/** Characters of the list's page token: it contains a call id, which a model may have chosen. */
export const MAX_POSITION_TOKEN_CHARACTERS = 2_048;
/** Bytes of a waiting call's JSON that D1 stores: a page of a hundred stays below 10 MB. */
export const MAX_LISTED_CALL_BYTES = 65_536;
/** Bytes of all waiting calls of one session that D1 stores: half of the 2 MB that one bound value may have. */
export const MAX_LISTED_CALLS_BYTES = 1_000_000;
/** Calls of one session in the list: with the longest ids they take less than the other half. */
export const MAX_LISTED_CALLS = 500;
/** Default seconds until a confirmation expires: a day. */
export const DEFAULT_CONFIRMATION_TTL_SECONDS = 86_400;
/** Maximum seconds until a confirmation or an external result expires: a month. */
export const MAX_WAITING_SECONDS = 2_592_000;
/** Characters of the reason that an answer gives; the model is told all of a denial's: a few paragraphs. */
export const MAX_ANSWER_REASON_CHARACTERS = 2_000;
/** Characters that an answer may add to a reply that is at its size limit: otherwise its calls could never be ended. */
export const MIN_ANSWER_CHARACTERS = 2_000;
