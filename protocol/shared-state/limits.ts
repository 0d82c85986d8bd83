// Limits of a session's shared state. Each with its unit and its reason.

/** Bytes of a state as JSON: the model gets all of it, about 16,000 tokens. */
export const MAX_SHARED_STATE_BYTES = 65_536;
/** Operations of one patch; larger changes should replace a parent. */
export const MAX_PATCH_OPERATIONS = 256;
/** Bytes of one patch as JSON: a complete state, and a `test` of the previous one. */
export const MAX_PATCH_BYTES = 131_072;
/** Characters of a JSON pointer: 64 levels with names of 64 characters. */
export const MAX_PATCH_POINTER_CHARACTERS = 4_096;
/** Events folded at once when an earlier state is read: about a millisecond, then other requests are served. */
export const FOLDED_EVENTS_A_SLICE = 1_000;
