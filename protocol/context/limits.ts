// Limits of what a model is sent of a conversation. Each with its unit and its reason.

/** Bytes of text that are estimated as one token: the average of English prose with common tokenizers. */
export const BYTES_PER_TOKEN = 4;
/** Default tokens of one tool result that a model is sent, as estimated; the rest is read with a tool. */
export const DEFAULT_TOOL_RESULT_TOKENS = 50_000;
/** Smallest such limit: less would not hold what a tool says about a failure. */
export const MIN_TOOL_RESULT_TOKENS = 1_000;
/** Largest such limit: the context of the largest models. */
export const MAX_TOOL_RESULT_TOKENS = 1_000_000;
/** Default number of images that a model is sent, the newest ones: each costs thousands of tokens in every call. */
export const DEFAULT_CONTEXT_IMAGES = 5;
/** Largest such number that an agent may set: providers refuse more in one request. */
export const MAX_CONTEXT_IMAGES = 100;
/** Default UTF-16 units of a cut result that one call of `read_tool_result` returns: some ten pages. */
export const READ_RESULT_CHARACTERS = 20_000;
/** Places that one search in a cut result returns. */
export const MAX_RESULT_PLACES = 20;
/** UTF-16 units that one search reads, so that it takes milliseconds; the next search continues there. */
export const MAX_SEARCHED_CHARACTERS = 1_000_000;
/** UTF-16 units of a text to search for. */
export const MAX_SEARCH_CHARACTERS = 100;
/** UTF-16 units before and after a place that a search returns. */
export const PLACE_CONTEXT_CHARACTERS = 100;
/** Tokens of the window of a model of which neither its definition nor a preset says it. */
export const DEFAULT_CONTEXT_SIZE = 128_000;
/** Smallest window that an agent may set: a system prompt and a summary fit. */
export const MIN_CONTEXT_SIZE = 1_000;
/** Largest such window: the largest models' has ten million tokens. */
export const MAX_CONTEXT_SIZE = 10_000_000;
/** The part of the window from which on older messages are summarised in the background, when an agent sets none. */
export const DEFAULT_TRIGGER_RATIO = 0.8;
/** Largest such part, as in AgentScope. */
export const MAX_TRIGGER_RATIO = 0.9;
/** The part of the window that is kept free for the answer, when an agent sets none: a reply waits to keep it free. */
export const DEFAULT_RESERVE_RATIO = 0.1;
/** Largest such part: with more, less than half of the window would be used. */
export const MAX_RESERVE_RATIO = 0.5;
/** Below the soft threshold by this part of the window the model is told that it may compress its context. */
export const COMPRESSION_HINT_RATIO = 0.2;
/** Newest messages that are not summarised when they fit, when an agent sets no number. */
export const DEFAULT_KEEP_RECENT = 3;
/** Largest such number; more rarely fit into half of a window. */
export const MAX_KEEP_RECENT = 100;
/** Tokens that a medium counts as: an image of a million pixels has some 1,500. */
export const MEDIA_TOKENS = 2_000;
/** A provider's count of tokens is believed up to this multiple of the estimate: a token has at least one byte. */
export const MAX_COUNT_RATIO = 4;
/**
 * Estimated tokens of a request, or of what it has more than the one before, from which on a provider's report says how
 * it counts JSON: in less, what providers add to each request weighs too much.
 */
export const MIN_LEARNED_TOKENS = 1_000;
/** Characters of an agent's `compression_prompt`: ten pages. */
export const MAX_COMPRESSION_PROMPT_CHARACTERS = 20_000;
/** Characters of an agent's `summary_template`: ten pages. */
export const MAX_SUMMARY_TEMPLATE_CHARACTERS = 20_000;
/** Characters of the instructions of one compression: a page or two. */
export const MAX_COMPRESSION_INSTRUCTIONS_CHARACTERS = 4_000;
/** Milliseconds of one compression with all its calls and retries: a reply, and its user, may be waiting for it. */
export const COMPRESSION_MS = 180_000;
/** Characters of one answer of the model that writes a summary, its thinking included; a long summary has ten thousand. */
export const MAX_SUMMARY_ANSWER_CHARACTERS = 200_000;
/** Characters of a summary as the model is sent it: ten pages. Of a small window it is a quarter of the soft threshold. */
export const MAX_SUMMARY_CHARACTERS = 20_000;
/** Slices in which a conversation is summarised that the summarising model cannot read at once; each is a model call. */
export const MAX_SUMMARY_SLICES = 32;
/** Characters of the user's message that a summary repeats when the reply to it is summarised before it has ended. */
export const MAX_REPEATED_REQUEST_CHARACTERS = 4_000;
/** Compressions in a row before one model call, each with a smaller target, until the call is made as it is. */
export const MAX_COMPRESSIONS_A_CALL = 2;
/**
 * Characters of a hint that stays in the context when a newer one has replaced it. Leaving it out makes the provider read
 * everything behind it anew, at ten times the price of cached text.
 */
export const MAX_KEPT_HINT_CHARACTERS = 2_000;
/** Windows of a model that are read of a conversation which was never summarised: what is older is left out. */
export const MAX_READ_WINDOWS = 2;
/** Milliseconds after which a compression that was lost with its machine is made again, or one that runs is looked at. */
export const COMPRESSION_CHECK_MS = 30_000;
/** The same behind a reply that waits for an answer, whose object is not to be woken: a day. */
export const COMPRESSION_PARKED_MS = 86_400_000;
