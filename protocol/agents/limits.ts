// Limits of agents that are deployed as code. Each with its unit and its reason.

/** Steps of one reply: each is an event of the log, and all are in memory while it runs. */
export const MAX_AGENT_STEPS = 1_000;
/** Bytes of the value that one step keeps, as JSON. */
export const MAX_AGENT_STEP_BYTES = 65_536;
