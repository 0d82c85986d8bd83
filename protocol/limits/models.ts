// Limits of what a model may bring into a reply and make the platform read. Each with its unit and its reason.

/** Fallback models of an agent; more only make a failing reply last longer. */
export const MAX_FALLBACK_MODELS = 4;
/** Milliseconds until a model must have begun to answer; long prompts take minutes on small machines. */
export const MODEL_ANSWER_MS = 300_000;
/** Milliseconds of silence on a model's open stream after which it counts as lost; thinking models send something sooner. */
export const MODEL_STALL_MS = 120_000;
/** Milliseconds that a model may stay silent at least, where its definition says how long. */
export const MIN_MODEL_STALL_MS = 100;
/** Times that a failed model call is made again before the next model is tried. */
export const MAX_MODEL_RETRIES = 3;
/** Milliseconds before the first retry of a model call; doubled for each further one. */
export const MODEL_RETRY_MS = 1_000;
/** Milliseconds between two tries at most, when the provider names no time. */
export const MODEL_RETRY_MAX_MS = 30_000;
/** Milliseconds of a provider's Retry-After that are waited for; somebody looks at the reply meanwhile. */
export const MAX_RETRY_AFTER_MS = 60_000;
/** Characters of one event in a model's stream; a generated picture of a million points in base64 fits. */
export const MAX_MODEL_EVENT_CHARACTERS = 4_000_000;
/** Characters of a model's proof of one thought; the encrypted thoughts of long turns have some ten thousand. */
export const MAX_THINKING_SIGNATURE_CHARACTERS = 65_536;
/** Tool calls of one model call; an agent has no more tools, and honest turns some ten. */
export const MAX_TURN_CALLS = 128;
/** Blocks of one model call: its calls, and as many thoughts and texts between them. Each is a write to the disk. */
export const MAX_TURN_BLOCKS = 256;
/** UTF-16 units of a reply that results leave to the model, or it could not say that there is no room for more. */
export const WORDS_ROOM_CHARACTERS = 1_000_000;
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
