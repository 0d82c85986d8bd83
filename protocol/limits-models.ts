// Limits of what a model may bring into a reply and make the platform read. Each with its unit and its reason.

/** Tool calls of one model call; an agent has no more tools, and honest turns some ten. */
export const MAX_TURN_CALLS = 128;
/** Blocks of one model call: its calls, and as many thoughts and texts between them. Each is a write to the disk. */
export const MAX_TURN_BLOCKS = 256;
/** Blocks of one reply, from which no further model call is made: 200 rounds of 20 calls have some 8,000. */
export const MAX_REPLY_BLOCKS = 10_000;
/** UTF-16 units of one reply's events, taken back ones too: ten times its message, or half a million tokens one by one. */
export const MAX_REPLY_LOG_CHARACTERS = 128_000_000;
/** UTF-16 units that an event takes in the log beside what it brings, about. */
export const EVENT_CHARACTERS = 200;
/** UTF-16 units of a reply that results leave to the model, or it could not say that there is no room for more. */
export const WORDS_ROOM_CHARACTERS = 1_000_000;
/** UTF-16 units of events that a model may be ahead of the disk; what is not written yet is held in memory. */
export const MAX_UNSETTLED_CHARACTERS = 1_000_000;
/** Characters of a call's name; tools have names of 64, and it stands in the call, in its result and in a row. */
export const MAX_CALL_NAME_CHARACTERS = 256;
/** Characters of the tools' names that a model is told which has called one that is not there. */
export const MAX_LISTED_TOOL_CHARACTERS = 1_000;
