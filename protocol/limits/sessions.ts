// Limits of a session's own settings and of what is brought into one.

/** Working directories of one session: each is looked at for each call that changes files. */
export const MAX_WORKING_DIRECTORIES = 32;
/** Characters of a working directory; file systems take 4,096 bytes for a path. */
export const MAX_DIRECTORY_CHARACTERS = 1_024;
/** Characters of a time zone's name; the longest of the IANA database has 32. */
export const MAX_TIME_ZONE_CHARACTERS = 64;
/** Milliseconds after which the agent is told the time again within one reply: one may have waited for a week. */
export const RUNTIME_HINT_MAX_AGE_MS = 1_800_000;
/** Messages of a state that is brought in; the values of a body are bounded too, and come sooner. */
export const MAX_STATE_MESSAGES = 2_000;
/** Bytes of messages that are copied from one session to another at once; one row of the log holds a batch. */
export const COPY_BATCH_BYTES = 500_000;
/** Milliseconds after the last sign of life at which a copy that came to no end is erased. */
export const COPY_ABANDONED_MS = 600_000;
