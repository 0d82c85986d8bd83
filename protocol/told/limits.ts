// Limits of what services tell. Each with its unit and its reason.

/** Told events in one request or answer: each is an event of the log that all readers get. */
export const MAX_TOLD_EVENTS = 64;
/** Told events of one call of a tool, in all frames of its stream. */
export const MAX_TOLD_EVENTS_OF_CALL = 256;
/** Bytes of one told event, as JSON: as a tool's metadata. */
export const MAX_TOLD_EVENT_BYTES = 16_384;
/** Characters of the name of a told event, or of the type of an activity. */
export const MAX_TOLD_NAME_CHARACTERS = 128;
/** Characters of an activity's id. */
export const MAX_TOLD_ID_CHARACTERS = 128;
/** Blocks of a hint: the model is sent each of them with every later call. */
export const MAX_HINT_BLOCKS = 16;
/** Activities that a reader who joins a reply is shown; of more, those told about longest ago are left out. */
export const MAX_TOLD_ACTIVITIES = 64;
/** Changes of an activity that are kept for readers who join; later ones wait for its next snapshot. */
export const MAX_TOLD_ACTIVITY_CHANGES = 256;
/** UTF-16 units of the changes of all activities that are kept for readers who join, as JSON: each reader has them in memory. */
export const MAX_TOLD_ACTIVITY_CHANGE_CHARACTERS = 1_048_576;
/** UTF-16 units of told events, as JSON, that a reader of AG-UI holds back while the log does not say yet whether the reply waits; later ones are left out. */
export const MAX_HELD_TOLD_CHARACTERS = 1_048_576;
