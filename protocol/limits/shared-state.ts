// Limits of a session's shared state. Each with its unit and its reason.

/** Bytes of a state as JSON: the model is shown all of it, about 16,000 tokens. */
export const MAX_SHARED_STATE_BYTES = 65_536;
/** Operations of one patch; what changes more replaces what is above it. */
export const MAX_PATCH_OPERATIONS = 256;
/** Bytes of one patch as JSON: room for a whole state, and for a test of the one before. */
export const MAX_PATCH_BYTES = 131_072;
/** Characters of a JSON pointer; a state of 64 levels with names of 64 characters takes as many. */
export const MAX_PATCH_POINTER_CHARACTERS = 4_096;
