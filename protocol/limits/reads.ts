// Limits of what readers are shown, and of what they hold meanwhile. Each with its unit and its reason.

/**
 * Bytes of one message's JSON that lists, replies and receipts show whole: a body with media fits with all that is added
 * to it. At two bytes a unit that is half of what an RPC answer may have.
 */
export const MAX_SHOWN_MESSAGE_BYTES = 9_000_000;
/** UTF-16 units of the inputs of the calls that wait, in one answer: what a person can judge is far below it. */
export const MAX_SHOWN_INPUT_CHARACTERS = 1_000_000;
/** Calls that one answer shows as waiting; the others follow when these are answered. A turn of a model has fewer. */
export const MAX_SHOWN_CALLS = 1_000;
/** UTF-16 units of one member of an outsized message that its outline keeps: times, counters, metadata. */
export const MAX_OUTLINE_MEMBER_CHARACTERS = 65_536;

/** Bytes of an answer that are made at once: a reader who does not read holds no more. */
export const ANSWER_PIECE_BYTES = 65_536;
/**
 * Bytes of a large row that are read at once, and held in their place: the database loads all of the row for each of
 * them, so smaller ones cost more time than they save memory.
 */
export const STORED_PIECE_BYTES = 250_000;
/**
 * Heartbeats within which somebody reads from a stream that has something to say: a minute. One that nobody reads is let
 * go, and its reader goes on where it was with another.
 */
export const UNREAD_BEATS = 6;
/**
 * UTF-16 units, about, of the messages that the AG-UI readers of one object fold, each for itself: at two bytes a unit
 * half of the memory that an object may have. One reader is let in however large its message is.
 */
export const MAX_FOLDED_CHARACTERS = 32_000_000;
/** UTF-16 units of an event that are not its content, about: its names, ids and times. */
export const EVENT_ENVELOPE_CHARACTERS = 250;
/** Open streams of one client token: a person's tabs and devices, and those that were cut and not yet missed. */
export const MAX_TOKEN_SUBSCRIBERS = 40;
/** Open streams of all client tokens of a session: the rest is left to the tenant's own keys. */
export const MAX_CLIENT_SUBSCRIBERS = 160;
