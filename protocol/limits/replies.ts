// Limits of one reply, and of those that wait for it. Each with its unit and its reason.

/** Replies that wait for the one before them; more is a program that does not listen. */
export const MAX_QUEUED_REPLIES = 16;
/** Bytes of what those were asked with, as JSON: two bodies with media. */
export const MAX_QUEUED_BYTES = 16_000_000;
/** Messages in one reply's input. A run's transcript may bring more: of these D1 hears of the last so many. */
export const MAX_INPUT_MESSAGES = 100;
/** Milliseconds that a waiting POST holds its connection before it answers 202. */
export const REPLY_WAIT_MS = 120_000;
/** Milliseconds that the start of a reply waits for D1 to name the agent's newest version. */
export const AGENT_REFRESH_MS = 2_000;
/** Bytes of stored messages that a reply's context is read from, newest first: what 128 MB of memory bear. */
export const MAX_HISTORY_BYTES = 8_000_000;
/** Bytes of them that are read in one go: some two milliseconds in which the object hears nobody. */
export const HISTORY_SLICE_BYTES = 262_144;
/** Rounds of model call and tools before a reply is ended with `exceed_max_iters`. */
export const DEFAULT_MAX_ITERS = 20;
/** The most that an agent may set as `max_iters`. */
export const MAX_MAX_ITERS = 200;
/** Rounds beyond `max_iters` in which the model is made to give its structured output. */
export const STRUCTURED_OUTPUT_GRACE_ROUNDS = 5;
/** Seconds that a reply may run when its agent says nothing, waiting for people left out: twice what long ones take. */
export const DEFAULT_REPLY_SECONDS = 7_200;
/** Seconds that an agent may let its replies run: a day. */
export const MAX_REPLY_SECONDS = 86_400;
/** Tokens of one reply, also when its agent says nothing: a thousand full contexts of a large model. */
export const MAX_REPLY_TOKENS = 200_000_000;
/** UTF-16 units of one reply's message, about: an RPC answer may have 32 MiB, at two bytes a unit. */
export const MAX_REPLY_CHARACTERS = 12_000_000;
/** Blocks of one reply, from which no further model call is made: 200 rounds of 20 calls have some 8,000. */
export const MAX_REPLY_BLOCKS = 10_000;
/** UTF-16 units of one reply's events, taken back ones too: ten times its message, or half a million tokens one by one. */
export const MAX_REPLY_LOG_CHARACTERS = 128_000_000;
