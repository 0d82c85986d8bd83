// Limits of what readers are shown, and of what they hold meanwhile. Each with its unit and its reason.

/** Rows on a page of a list when the client names no limit. */
export const DEFAULT_PAGE_LIMIT = 20;
/** Rows on a page of a list at most. */
export const MAX_PAGE_LIMIT = 100;
/** Bytes of items on one page at most, unless one item alone is larger; an RPC answer may have 32 MiB. */
export const MAX_PAGE_BYTES = 8_000_000;
/** Days that a report of usage covers when the request names none. */
export const DEFAULT_USAGE_DAYS = 30;
/** Days that a report of usage may cover. */
export const MAX_USAGE_DAYS = 366;
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
/** UTF-16 units of an event that are not its content, about: its names, ids and times. */
export const EVENT_ENVELOPE_CHARACTERS = 250;
