// Limits of diagnostics and of the check of an agent. Each with its unit and its reason.

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
/** Milliseconds of a tool that is called by hand: a person waits for it, and its idempotency key is claimed meanwhile. */
export const HAND_CALL_MS = 30_000;
/** UTF-16 units of its result, base64 included: it is kept under the idempotency key, in a row of at most 2 MB. */
export const MAX_HAND_CALL_CHARACTERS = 400_000;
