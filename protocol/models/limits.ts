// Limits of model calls and of the models' output. Each with its unit and its reason.

/** Fallback models of an agent; more only delay the failure of a reply. */
export const MAX_FALLBACK_MODELS = 4;
/** Further models that a reply of an agent may ask for. */
export const MAX_ALLOWED_MODELS = 16;
/** Milliseconds until a model must begin to answer; long prompts take minutes on small machines. */
export const MODEL_ANSWER_MS = 300_000;
/** Milliseconds of silence after which a model's stream counts as lost; thinking models send something sooner. */
export const MODEL_STALL_MS = 120_000;
/** Minimum of a definition's `stall_ms`. */
export const MIN_MODEL_STALL_MS = 100;
/** Retries of a failed model call before the next fallback model. */
export const MAX_MODEL_RETRIES = 3;
/** Milliseconds before the first retry of a model call; doubled each time. */
export const MODEL_RETRY_MS = 1_000;
/** Longest delay between retries in milliseconds, without a `Retry-After`. */
export const MODEL_RETRY_MAX_MS = 30_000;
/** Longest `Retry-After` in milliseconds that is honoured, because a person may be waiting for the reply. */
export const MAX_RETRY_AFTER_MS = 60_000;
/** Characters of one event in a model's stream; a generated image of a million pixels in base64 fits. */
export const MAX_MODEL_EVENT_CHARACTERS = 4_000_000;
/** Characters of a thinking signature; encrypted thinking of long turns has some ten thousand. */
export const MAX_THINKING_SIGNATURE_CHARACTERS = 65_536;
/** Tool calls of one model call; an agent has no more tools, and typical turns have up to ten. */
export const MAX_TURN_CALLS = 128;
/**
 * Blocks of one model call: its calls, and as many thinking and text blocks between them. Each is a write to storage.
 */
export const MAX_TURN_BLOCKS = 256;
/**
 * UTF-16 units of a reply reserved for the model's text, so that it can still answer when results have filled the rest.
 */
export const RESERVED_TEXT_CHARACTERS = 1_000_000;
/** Characters of the list of tool names that a model gets after calling an unknown tool. */
export const MAX_LISTED_TOOL_CHARACTERS = 1_000;
/** Decompressed bytes of one answer, after which it is aborted: 400,000 tokens in events of some 300 bytes. */
export const MAX_MODEL_ANSWER_BYTES = 128_000_000;
/**
 * Consecutive decompressed bytes without content, after which a stream is aborted: more than one event of maximum
 * length.
 */
export const MAX_MODEL_IDLE_BYTES = 16_000_000;
/** Bytes of an error response that are read: only its error code is used. */
export const MAX_MODEL_ERROR_BYTES = 65_536;
/** Characters of an event that is parsed directly; the shape of longer ones is checked first. */
export const PLAIN_EVENT_CHARACTERS = 65_536;
/** JSON values in a longer event: three characters of text become some fifty bytes when parsed. */
export const MAX_MODEL_EVENT_VALUES = 100_000;
/**
 * A stream of heartbeats without content may last this multiple of the stall time: the request may be in the provider's
 * queue.
 */
export const HEARTBEAT_STALLS = 10;
/** Longest time of such a stream in milliseconds. */
export const MAX_MODEL_HEARTBEAT_MS = 600_000;
/** Plausible token counts of one call; the largest context windows have ten million. */
export const MAX_CALL_TOKENS = 10_000_000;
/** Filler words in one script of the scripted model. */
export const MAX_SCRIPT_WORDS = 200_000;
/** Chunks that the scripted model sends before it pauses for other requests. */
export const SCRIPT_BURST_PIECES = 500;
/** Stop texts of one reply; providers take four. */
export const MAX_STOP_TEXTS = 4;
/**
 * Output tokens of one call of an Anthropic model that is not known, when neither definition nor reply set any: the API
 * asks for a number.
 */
export const DEFAULT_ANTHROPIC_MAX_TOKENS = 8_192;
/**
 * Requests of one try in another form, each after a refusal that names what the endpoint does not take; one that refuses
 * more than eight things is not served.
 */
export const MAX_ADAPTED_REQUESTS = 8;
/** Models of a session whose forms are kept; an agent has fewer. */
export const MAX_KEPT_FORMS = 32;
/** Media that a session remembers as refused by its models: the names of more would fill the state of its log. */
export const MAX_REFUSED_MEDIA = 1_000;
