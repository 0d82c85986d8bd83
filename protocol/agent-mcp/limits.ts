// Limits of agents as MCP servers. Each with its unit and its reason.

/** Messages in one batch of a client that speaks 2025-03-26, the only version with batches. */
export const MAX_MCP_BATCH = 20;
/** Calls of tools in one batch: each may start a reply and reads a stream of its own. */
export const MAX_MCP_BATCH_CALLS = 4;
/**
 * Milliseconds for which a cancellation waits for its call: both were sent at about the same time, on two connections.
 */
export const MCP_EARLY_CANCELLATION_MS = 60_000;
/** Early cancellations of one connection, in one row of D1; the newest are kept. As many as one batch has messages. */
export const MAX_EARLY_CANCELLATIONS = 20;
/** Milliseconds between two comments on a stream that has nothing to tell, so that proxies keep it open. */
export const MCP_KEEP_ALIVE_MS = 15_000;
/**
 * The same in 2026-07-28, where a client that leaves has cancelled its call: that is noticed by a write that fails.
 */
export const MCP_LEAVE_CHECK_MS = 5_000;
/** Milliseconds after such a write until the reply is interrupted, for a client that has lost its network to come back. */
export const MCP_LEFT_MS = 10_000;
/** Milliseconds that a call may take between two questions for its reply's state: it follows the reply meanwhile. */
export const MCP_FOLLOWER_GRACE_MS = 5_000;
/** Milliseconds after which a stream ends while its reply goes on: the client resumes it, or asks for the session. */
export const MCP_STREAM_MS = 3_600_000;
/**
 * Milliseconds of one question for a reply's state: a client that leaves meanwhile is noticed after it, and that the reply
 * has called an agent.
 */
export const MCP_REPLY_WAIT_MS = 5_000;
/** Milliseconds of such a question for a reply that has called agents: a person waits for what they ask. */
export const MCP_CALLED_LOOK_MS = 1_000;
/** Milliseconds within which a call that follows a reply asks for its state again, those of the release before among them. */
export const MCP_FOLLOWER_MS = 20_000;
/** Milliseconds before a reply's broken event stream is opened again, and for its last events to arrive. */
export const MCP_STREAM_RETRY_MS = 1_000;
/** Milliseconds for which the answer to a client without streams waits for the reply. */
export const MCP_JSON_WAIT_MS = 25_000;
/** Milliseconds for which a request state is accepted: as long as a call may wait for an answer. */
export const MCP_REQUEST_STATE_MS = 604_800_000;
/** Characters of one progress notification's text: a hint for people, not the answer. */
export const MAX_PROGRESS_CHARACTERS = 2_000;
/** Characters of a waiting call's input that are shown to the client. */
export const MAX_MCP_INPUT_CHARACTERS = 20_000;
/** Characters of a request's id, a progress token or a key: they come back in answers. */
export const MAX_MCP_ID_CHARACTERS = 256;
/** Answers in one call of a `resume_…` tool. */
export const MAX_MCP_ANSWERS = 64;
/** Milliseconds for which a client may keep the lists of tools. */
export const MCP_TOOLS_TTL_MS = 60_000;
