// Limits of a session's settings, imports and copies. Each with its unit and its reason.

/** Working directories of one session: each is compared for each call that changes files. */
export const MAX_WORKING_DIRECTORIES = 32;
/** Characters of a working directory; file systems allow 4,096 bytes for a path. */
export const MAX_DIRECTORY_CHARACTERS = 1_024;
/** Characters of a time zone's name; the longest of the IANA database has 32. */
export const MAX_TIME_ZONE_CHARACTERS = 64;
/** Milliseconds after which a reply tells the agent the time again: a reply may have waited for a week. */
export const RUNTIME_HINT_MAX_AGE_MS = 1_800_000;
/** Messages of an imported state; usually the limit of JSON values in a body is reached first. */
export const MAX_STATE_MESSAGES = 2_000;
/** Bytes of messages copied from one session to another per batch; a batch is one row of the log. */
export const COPY_BATCH_BYTES = 500_000;
/** Milliseconds without progress after which an incomplete copy is erased. */
export const COPY_ABANDONED_MS = 600_000;
