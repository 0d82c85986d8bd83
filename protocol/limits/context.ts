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
