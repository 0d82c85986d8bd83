// Limits of a session's settings, imports and copies. Each with its unit and its reason.

/** Working directories of one session: each is compared for each call that changes files. */
export const MAX_WORKING_DIRECTORIES = 32;
/** Characters of a working directory; file systems allow 4,096 bytes for a path. */
export const MAX_DIRECTORY_CHARACTERS = 1_024;
/** Characters of a time zone's name; the longest of the IANA database has 32. */
export const MAX_TIME_ZONE_CHARACTERS = 64;
/** Characters of a session's title: a line of a list. */
export const MAX_TITLE_CHARACTERS = 200;
/** Characters of the first user message that stand in a list in place of a title. */
export const DERIVED_TITLE_CHARACTERS = 80;
/** Bytes of a message in which its first words are looked for: media may come before them. */
export const TITLE_SCANNED_BYTES = 16_384;
/** Messages in which the first words are looked for, the oldest first. */
export const TITLE_SCANNED_MESSAGES = 8;
/** Characters of a failure's message in a list; the platform's own sentences are shorter. */
export const MAX_LISTED_FAILURE_CHARACTERS = 200;
/** Sessions that one page of a filter without an index reads: some four rows each, a hundredth of a second. */
export const MAX_SCANNED_SESSIONS = 2_000;
/** Agents of one name whose sessions are listed together: each is a query of the page's batch. */
export const MAX_AGENTS_OF_A_NAME = 20;
/** Milliseconds after which a reply tells the agent the time again: a reply may have waited for a week. */
export const RUNTIME_HINT_MAX_AGE_MS = 1_800_000;
/** Messages of an imported state; usually the limit of JSON values in a body is reached first. */
export const MAX_STATE_MESSAGES = 2_000;
/** Bytes of messages that one restore brings back into a conversation: as many as a request may bring. */
export const MAX_RESTORED_BYTES = 8_000_000;
/** Bytes of messages copied from one session to another per batch; a batch is one row of the log. */
export const COPY_BATCH_BYTES = 500_000;
/** Milliseconds without progress after which an incomplete copy is erased. */
export const COPY_ABANDONED_MS = 600_000;
/** Sessions of called agents that a deletion erases before it is answered; the queue erases the others. */
export const MAX_CALLED_REMOVED_AT_ONCE = 32;
/** Sessions of called agents that one statement of a deletion hides: a conversation of years may have called thousands. */
export const MAX_CALLED_HIDDEN_AT_ONCE = 500;
