// How often and how long a reply is brought back before it is ended, with the reason for each size.

/** Restarts of a reply in which it came no step further: what kills its machine each time will do so again. */
export const MAX_RECOVERIES_WITHOUT_PROGRESS = 10;
/** Restarts of one reply in all; a deploy is one, and none lives through a hundred. */
export const MAX_RECOVERIES = 100;
/** Milliseconds before a reply runs again that came no step further since its last restart; doubled for each further one. */
export const RECOVERY_BACK_OFF_MS = 1_000;
/** Milliseconds between two restarts at most: whoever waits for the reply still waits. */
export const RECOVERY_BACK_OFF_MAX_MS = 60_000;
/** Milliseconds that a restart waits at most: the longest back-off, or a provider's Retry-After, which is spread upwards. */
export const MAX_RECOVERY_WAIT_MS = 66_000;
/** Seconds that a reply may run when its agent says nothing, waiting for people left out: twice what long ones take. */
export const DEFAULT_REPLY_SECONDS = 7_200;
/** Seconds that an agent may let its replies run: a day. */
export const MAX_REPLY_SECONDS = 86_400;
/** Tokens of one reply, also when its agent says nothing: a thousand full contexts of a large model. */
export const MAX_REPLY_TOKENS = 200_000_000;
/** Milliseconds that a model may stay silent at least, where its definition says how long. */
export const MIN_MODEL_STALL_MS = 100;
