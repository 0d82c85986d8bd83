// Limits of hooks. Each with its unit and its reason.

/** Hooks of one agent, and of one session beside them: those of a point run one after the other. */
export const MAX_HOOKS = 32;
/** Default milliseconds that a hook may take to answer: a person waits for it. */
export const DEFAULT_HOOK_TIMEOUT_MS = 5_000;
/** Maximum milliseconds that a definition may set. */
export const MAX_HOOK_TIMEOUT_MS = 30_000;
/** Bytes of a hook's answer as JSON: it becomes one event of the log. */
export const MAX_HOOK_ANSWER_BYTES = 262_144;
/** Bytes as JSON of the request that a hook is shown before a model call: about 250,000 tokens, more than most models read. */
export const MAX_HOOK_REQUEST_BYTES = 1_000_000;
/** Characters of a reason: a sentence or two. */
export const MAX_HOOK_REASON_CHARACTERS = 2_000;
/** Characters of a hint: about 5,000 tokens, sent to the model with each later call. */
export const MAX_HOOK_HINT_CHARACTERS = 20_000;
/** Milliseconds after which a hook is told again of an observed message, when its machine was lost. */
export const HOOK_RETRY_MS = 60_000;
