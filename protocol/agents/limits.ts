// Limits of agents that are deployed as code, and of what a caller's log has of the agents that it has called. Each with its
// unit and its reason.

/** Steps of one reply: each is an event of the log, and all are in memory while it runs. */
export const MAX_AGENT_STEPS = 1_000;
/** Bytes of the value that one step keeps, as JSON. */
export const MAX_AGENT_STEP_BYTES = 65_536;
/** Milliseconds between two batches of one called agent's events: as fast as a person reads text that grows. */
export const SUBAGENT_BATCH_MS = 250;
/** Bytes of a batch, as those of deltas that are merged. */
export const SUBAGENT_BATCH_BYTES = 32_768;
/** Bytes of a tool's result in a batch: what a reader needs to see that it went well. */
export const SUBAGENT_RESULT_BYTES = 2_048;
/** Bytes that one called session adds to the log of each of its callers: the whole is in its own log. */
export const MAX_SUBAGENT_BYTES = 1_048_576;
