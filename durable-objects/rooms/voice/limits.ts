// Limits of a room that speaks. Each with its unit and its reason.

/** Milliseconds in which an agent's session has to answer a connection; its turn is text then. */
export const LINE_OPENING_MS = 5_000;
/** Milliseconds without audio in the middle of a person's speech that end the turn: a microphone was switched off. */
export const MUTE_MS = 5_000;
/** Turns of a person that may be written down at a time: more than one says within half a minute. */
export const MAX_WRITTEN_TURNS = 8;
