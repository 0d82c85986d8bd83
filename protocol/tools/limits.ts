// Limits of tools and their calls. Each with its unit and its reason.

/** Tools of one agent; model providers refuse more. */
export const MAX_TOOLS = 128;
/** Concurrent tool calls of one reply; a Worker has six outgoing connections. */
export const MAX_PARALLEL_TOOL_CALLS = 4;
/** Default timeout of a tool in milliseconds. */
export const DEFAULT_TOOL_TIMEOUT_MS = 30_000;
/** Maximum timeout of a tool in milliseconds. */
export const MAX_TOOL_TIMEOUT_MS = 600_000;
/** Default maximum bytes of a tool's answer. */
export const DEFAULT_TOOL_MAX_BYTES = 1_000_000;
/** Largest maximum bytes that a definition may set. */
export const MAX_TOOL_MAX_BYTES = 8_000_000;
/** Bytes of a failed tool's body that the model gets: a reason fits, an HTML page does not. */
export const MAX_TOOL_ERROR_BYTES = 2_000;
/** Blocks in one answer of a tool; each becomes an event. */
export const MAX_TOOL_BLOCKS = 256;
/** Bytes of a tool answer's metadata, as JSON. */
export const MAX_TOOL_METADATA_BYTES = 16_384;
/** Separate text deltas per read of a tool's stream; further ones of the same read are merged. */
export const MAX_DELTAS_OF_A_READ = 64;
/** Characters of a call's progress that the model reads when the call has ended without a result: the end of it. */
export const MAX_PROGRESS_READ_CHARACTERS = 2_000;
/** Headers in a tool's definition; servers refuse about a hundred. */
export const MAX_HEADERS = 32;
/** Characters of one header's value; servers accept 8 KB of headers in all. */
export const MAX_HEADER_CHARACTERS = 4_096;
/** Editable pointers of one tool: they are sent with each confirmation request. */
export const MAX_EDITABLE_POINTERS = 32;
/** Characters of the template of a confirmation's sentence: a sentence or two. */
export const MAX_CONFIRMATION_MESSAGE_CHARACTERS = 500;
/** Placeholders of one such template; each value in it may have 80 characters. */
export const MAX_CONFIRMATION_PLACEHOLDERS = 16;
/** Characters of the sentence that is made of it: it is stored with the call and sent with each question. */
export const MAX_CONFIRMATION_QUESTION_CHARACTERS = 1_000;
/** Characters of a call id chosen by a model; longer ones are replaced, because tools get it in a header. */
export const MAX_CALL_ID_CHARACTERS = 256;
/**
 * Characters of a call's name; tool names have 64 at most, and the name is stored in the call, its result and a row.
 */
export const MAX_CALL_NAME_CHARACTERS = 256;
/** Levels of agents below the first one, where an agent's tool says nothing; most tasks need one. */
export const DEFAULT_AGENT_DEPTH = 3;
/** The most that a tool may say: each level multiplies what a request of an end user may cost. */
export const MAX_AGENT_DEPTH = 8;
/** Agents that one reply has at work at the same time; further calls wait for their turn. */
export const MAX_AGENTS_AT_ONCE = 16;
/** Calls of agents in one reply. */
export const MAX_AGENT_CALLS = 128;
/** Milliseconds that a called agent waits for room in a quota, before its call fails. */
export const AGENT_QUOTA_WAIT_MS = 60_000;
/** Milliseconds until a start that a quota has refused, or that has failed, is tried again. */
export const AGENT_RETRY_MS = 2_000;
/**
 * Milliseconds until a reply first looks at an agent that works for it. The agent itself says when it has ended: a look finds
 * what was not heard of.
 */
export const AGENT_LOOK_MS = 15_000;
/** Milliseconds between two looks at most: the longest that an end stays unknown when a machine is lost as it says so. */
export const MAX_AGENT_LOOK_MS = 600_000;
/** Share of an agent's age that passes until the next look. */
export const AGENT_LOOK_SHARE = 0.25;
/** Milliseconds that the object of a called agent's session has to answer. */
export const AGENT_ANSWER_MS = 30_000;
