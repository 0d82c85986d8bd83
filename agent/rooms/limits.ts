// Limits of a room's turns. Each with its unit and its reason.

/**
 * Milliseconds that a turn is left open after it was told to stop: a session ends its reply within one of them. A machine that
 * cannot be reached holds up nobody for longer.
 */
export const STOP_GRACE_MS = 10_000;
/** Bytes of a waiting call's input that a room's state keeps: the state is one row, and the log has the input. */
export const PENDING_INPUT_BYTES = 16_000;
