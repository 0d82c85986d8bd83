// Limits of the dialect of realtime agents.

/** Hertz of the agent's audio: the page of the document plays no other. */
export const REALTIME_OUTPUT_RATE = 24_000;
/** Hertz of the user's audio until its first `format` says otherwise: the page of the document sends no other. */
export const REALTIME_INPUT_RATE = 16_000;
/** Characters of the instructions of a connection: they are kept with its socket, which has 16,384 bytes for all. */
export const MAX_CONNECTION_INSTRUCTIONS = 4_096;
/** Entries that the translation remembers of items, messages and calls: some more than a connection has open at once. */
export const MAX_REMEMBERED = 128;
/** The growth of a call's input from one delta to the next: each has all of it, and together they have three times as much. */
export const TOOL_INPUT_GROWTH = 1.5;
