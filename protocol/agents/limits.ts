// Limits of agents that are deployed as code, and of what a caller's log has of the agents that it has called. Each with its
// unit and its reason.

/** Steps of one reply: each is an event of the log, and all are in memory while it runs. */
export const MAX_AGENT_STEPS = 1_000;
/** Bytes of the value that one step keeps, as JSON. */
export const MAX_AGENT_STEP_BYTES = 65_536;
/** Default milliseconds of one turn of an agent in code over HTTP: a server that asks a model of its own takes its time. */
export const DEFAULT_AGENT_TURN_MS = 120_000;
/** Maximum milliseconds that a definition may set, as for the call of a tool. */
export const MAX_AGENT_TURN_MS = 600_000;
/** Milliseconds between two batches of one called agent's events: as fast as a person reads text that grows. */
export const SUBAGENT_BATCH_MS = 250;
/** Bytes of a batch, as those of deltas that are merged. */
export const SUBAGENT_BATCH_BYTES = 32_768;
/** Bytes of a tool's result in a batch: what a reader needs to see that it went well. */
export const SUBAGENT_RESULT_BYTES = 2_048;
/** Bytes that one called session adds to the log of each of its callers: the whole is in its own log. */
export const MAX_SUBAGENT_BYTES = 1_048_576;
/** Bytes that the sessions below a called one add to the log, together: as a called agent may call others, which may call others. */
export const MAX_SUBAGENT_TREE_BYTES = 4_194_304;
/** Bytes that all agents of one reply add to its log: a reply that was lost with its machine is read again as a whole. */
export const MAX_REPLY_SUBAGENT_BYTES = 33_554_432;
/** UTF-16 units of a called agent's waiting call, as JSON, that its callers keep beside their logs; a larger input is in the log alone. */
export const MAX_QUESTION_CHARACTERS = 65_536;
/** Bytes of a called session's log that one look of its caller reads, and about as many that it is sent. */
export const MAX_COPY_READ_BYTES = 262_144;
/** Milliseconds until a called session tells its caller of new events again, after it could not: twice as many each time. */
export const CALLER_RETRY_MS = 2_000;
/** Milliseconds at most: its caller looks by itself about as often. */
export const MAX_CALLER_RETRY_MS = 60_000;
