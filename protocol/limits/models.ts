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

/** Bytes of one answer, unpacked, from which its model is stopped: 400,000 tokens in events of some 300 bytes each. */
export const MAX_MODEL_ANSWER_BYTES = 128_000_000;
/** Bytes in a row, unpacked, that bring nothing: an event of the greatest length has fewer in any script. */
export const MAX_MODEL_IDLE_BYTES = 16_000_000;
/** Bytes of a refusal that are read: all that counts in it is an error's code. */
export const MAX_MODEL_ERROR_BYTES = 65_536;
/** Characters of an event that is parsed as it is; a longer one is looked at first. */
export const PLAIN_EVENT_CHARACTERS = 65_536;
/** Values in a longer event: parsed, each takes some fifty bytes for the three that it may have in the text. */
export const MAX_MODEL_EVENT_VALUES = 100_000;
/** How many times its silence a stream may last that only shows that it is alive: others wait in the provider's queue. */
export const HEARTBEAT_STALLS = 10;
/** Milliseconds that such a stream may last at most. */
export const MAX_MODEL_HEARTBEAT_MS = 600_000;
/** Tokens that a model may say it has read or written in one call; the largest contexts have ten million. */
export const MAX_CALL_TOKENS = 10_000_000;

/** Words of filler that a script may ask the embedded model for. */
export const MAX_SCRIPT_WORDS = 200_000;
/** Pieces that the embedded model sends without a pause before it lets others have their turn. */
export const SCRIPT_BURST_PIECES = 500;
