// Limits of tools and their calls. Each with its unit and its reason.

/** Tools of one agent; model providers refuse more. */
export const MAX_TOOLS = 128;
/** Tool calls that one reply runs at the same time; a Worker has six outgoing connections. */
export const MAX_PARALLEL_TOOL_CALLS = 4;
/** Milliseconds that a tool may take when its definition says nothing. */
export const DEFAULT_TOOL_TIMEOUT_MS = 30_000;
/** Milliseconds that a tool definition may ask for. */
export const MAX_TOOL_TIMEOUT_MS = 600_000;
/** Bytes of a tool's answer when its definition says nothing. */
export const DEFAULT_TOOL_MAX_BYTES = 1_000_000;
/** Bytes of a tool's answer that a definition may ask for. */
export const MAX_TOOL_MAX_BYTES = 8_000_000;
/** Bytes of a failing tool's body that the model is shown: a reason fits, a page of HTML does not. */
export const MAX_TOOL_ERROR_BYTES = 2_000;
/** Blocks in one answer of a tool; each is an event of its own. */
export const MAX_TOOL_BLOCKS = 256;
/** Bytes of a tool answer's metadata, as JSON. */
export const MAX_TOOL_METADATA_BYTES = 16_384;
/** Text deltas of a tool that one read may bring apart from each other; further ones of that read become one. */
export const MAX_DELTAS_OF_A_READ = 64;
/** Headers that a tool's definition may set; servers refuse some hundred. */
export const MAX_HEADERS = 32;
/** Characters of one header's value; servers take 8 KB of headers in all. */
export const MAX_HEADER_CHARACTERS = 4_096;
/** Parts of a tool's input that it may name as those that a person may edit: each goes along with each question. */
export const MAX_EDITABLE_POINTERS = 32;
/** Characters of a call id that a model may choose; a longer one is replaced, because tools get it in a header. */
export const MAX_CALL_ID_CHARACTERS = 256;
/** Characters of a call's name; tools have names of 64, and it stands in the call, in its result and in a row. */
export const MAX_CALL_NAME_CHARACTERS = 256;
