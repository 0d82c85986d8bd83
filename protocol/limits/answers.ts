// Limits of what an answer to a call may bring with it. Each with its unit and its reason.

/** Calls that one event may answer: as many as an agent may have tools. */
export const MAX_ANSWERED_CALLS = 128;
/** Bytes of a posted event's metadata, and of a result's, as JSON: it stays in one row of the log. */
export const MAX_EVENT_METADATA_BYTES = 65_536;
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
/** Seconds that a confirmation waits when the agent says nothing: a day. */
export const DEFAULT_CONFIRMATION_TTL_SECONDS = 86_400;
/** Seconds that an agent may let a confirmation or an external result wait: a month. */
export const MAX_WAITING_SECONDS = 2_592_000;
/** Characters of a person's reason for a refusal that the model is told: a sentence or a few. */
export const MAX_DENIAL_REASON_CHARACTERS = 1_000;
/** Characters that an answer may add to a reply without room for more: nobody could end the call otherwise. */
export const MIN_ANSWER_CHARACTERS = 2_000;
