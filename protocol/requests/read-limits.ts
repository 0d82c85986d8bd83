// Limits of answers to reads, and of the memory that they take. Each with its unit and its reason.

/** Default rows on a page of a list. */
export const DEFAULT_PAGE_LIMIT = 20;
/** Maximum rows on a page of a list. */
export const MAX_PAGE_LIMIT = 100;
/** Maximum bytes of items on one page, unless one item alone is larger; an RPC answer may have 32 MiB. */
export const MAX_PAGE_BYTES = 8_000_000;
/** Default days of a usage report. */
export const DEFAULT_USAGE_DAYS = 30;
/** Maximum days of a usage report. */
export const MAX_USAGE_DAYS = 366;
/** Sums that an export of usage reads per query: about a megabyte. */
export const USAGE_EXPORT_ROWS = 5_000;
/**
 * Bytes of one message's JSON up to which lists, replies and receipts contain its content: a body with media fits,
 * including all that is added to it. At two bytes per UTF-16 unit that is half of an RPC answer.
 */
export const MAX_SHOWN_MESSAGE_BYTES = 9_000_000;
/** UTF-16 units of the inputs of waiting calls in one answer: far more than a person can review. */
export const MAX_SHOWN_INPUT_CHARACTERS = 1_000_000;
/** Waiting calls in one answer; the others appear when these are answered. A model's turn has fewer. */
export const MAX_SHOWN_CALLS = 1_000;
/** UTF-16 units of one member (times, counters, metadata) that is kept of a message whose content is omitted. */
export const MAX_OUTLINE_MEMBER_CHARACTERS = 65_536;
/** Bytes of an answer produced at a time: a slow reader holds no more in memory. */
export const ANSWER_PIECE_BYTES = 65_536;
/**
 * Bytes of a large row read at a time: the database loads the complete row for each read, so smaller pieces cost more
 * time than they save memory.
 */
export const STORED_PIECE_BYTES = 250_000;
/** Approximate UTF-16 units of an event besides its content: names, ids and times. */
export const EVENT_ENVELOPE_CHARACTERS = 250;

// The operator's health report.

/** Rows of a backlog that are counted: enough to see that something is wrong, and a few milliseconds. */
export const MAX_COUNTED_BACKLOG = 10_000;
/** Suspended tenants that a report names. */
export const MAX_LISTED_TENANTS = 100;
/** Milliseconds of the last hour. */
export const ACTIVITY_MS = 3_600_000;
/** Milliseconds for which the counters of activity are kept. */
export const ACTIVITY_KEPT_MS = 86_400_000;
/** Milliseconds that a store may take to answer, before it counts as failed. */
export const HEALTH_TIMEOUT_MS = 5_000;
