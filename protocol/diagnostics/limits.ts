// Limits of diagnostics, of the check of an agent, and of replays (a recorded session that is run again on another
// version of its agent). Each with its unit and its reason.

/** Model calls of one reply that diagnostics keep; of more, the newest. Replies of more rounds are rare. */
export const MAX_DIAGNOSED_MODEL_CALLS = 64;
/** Tool calls of one reply that diagnostics keep; of more, the newest. One model call makes no more. */
export const MAX_DIAGNOSED_TOOL_CALLS = 128;
/** Failed tries of one model call that diagnostics keep; retries end before. */
export const MAX_DIAGNOSED_TRIES = 8;
/** Characters of another side's error message that diagnostics keep: a sentence or two, not a page. */
export const MAX_FAILURE_MESSAGE_CHARACTERS = 500;
/** Characters of an error's code, a finish reason or a request id that diagnostics keep. */
export const MAX_FAILURE_CODE_CHARACTERS = 100;
/** Characters of text that count as one token where a provider did not say how many there were. */
export const CHARACTERS_OF_A_TOKEN = 4;
/** Tokens that an image or another medium counts as in such an estimate. */
export const ESTIMATED_MEDIA_TOKENS = 1_000;
/** Milliseconds of one probe of a check: a model that thinks takes seconds for its first token. */
export const CHECK_PROBE_MS = 15_000;
/** Milliseconds of a whole check, with all its probes: a person waits for it. */
export const CHECK_MS = 20_000;
/** Concurrent probes of a check; a Worker has six outgoing connections. */
export const MAX_PARALLEL_PROBES = 4;
/** Replies that a replay runs when its request does not say: a conversation of an ordinary length. */
export const DEFAULT_REPLAY_REPLIES = 20;
/** Replies that one replay may run; a longer session is replayed in parts, with `from_reply_id`. */
export const MAX_REPLAY_REPLIES = 50;
/** Model calls of one replay: each is paid for, and a model may call tools in a loop. */
export const MAX_REPLAY_MODEL_CALLS = 100;
/** Milliseconds of a whole replay: a person waits for it. */
export const REPLAY_MS = 180_000;
/** Bytes of recorded messages that one replay reads: as many as a reply's context may have. */
export const MAX_REPLAY_BYTES = 8_000_000;
/** UTF-16 units of what one replay writes, repeated results included: nothing of it is on disk, all of it is in memory. */
export const MAX_REPLAY_CHARACTERS = 12_000_000;
/** Calls, recorded and made, that an answer compares one by one in a reply; a model may make thousands. */
export const MAX_REPLAY_CALLS_SHOWN = 500;
/** UTF-16 units of a reply's text that an answer shows: some pages. The whole text decides whether it has changed. */
export const MAX_REPLAY_TEXT_CHARACTERS = 8_000;
/** UTF-16 units of a call's input that an answer shows. The whole input decides whether it has changed. */
export const MAX_REPLAY_INPUT_CHARACTERS = 2_000;
/**
 * Milliseconds between two signs of life in the answer of a replay: a client that has left is noticed by one that cannot
 * be sent.
 */
export const REPLAY_HEARTBEAT_MS = 2_000;
/** Milliseconds of a tool that is called by hand: a person waits for it, and its idempotency key is claimed meanwhile. */
export const HAND_CALL_MS = 30_000;
/** UTF-16 units of its result, base64 included: an answer over HTTP. */
export const MAX_HAND_CALL_CHARACTERS = 400_000;
