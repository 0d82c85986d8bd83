// Limits of the queues and of the cron sweep, which finds lost work. Each with its unit and its reason.

/**
 * Milliseconds between two sweeps, the same as the cron expression in `wrangler.toml`: lost work is delayed by about as
 * much.
 */
export const SWEEP_INTERVAL_MS = 60_000;
/** Cron expression of the sweep at the start of a local platform, whose queue is in memory and empty. */
export const SWEEP_AT_START = "@reboot";
/** Milliseconds after which the job of a due delivery counts as lost: a queue's usual lag is seconds. */
export const WEBHOOK_OVERDUE_MS = 600_000;
/** Lost deliveries that one step of the sweep marks; the next step finds others. */
export const MAX_LOST_DELIVERIES = 1_000;
/** Tenants with waiting deliveries per step of the sweep: a statement for each, in one call of D1. */
export const MAX_SWEPT_TENANTS = 50;
/** Unfinished deletions per step of the sweep: as many as one call of the queue takes. */
export const MAX_SWEPT_REMOVALS = 100;
/** Disabled endpoints published per step of the sweep; each takes some calls of D1. */
export const MAX_UNPUBLISHED_ENDPOINTS = 10;
/** Tenants' data keys re-encrypted per step of the sweep: each takes about a tenth of a millisecond. */
export const MAX_REWRAPPED_KEYS = 100;
/** Delay in milliseconds of the job that checks a session's deletion, which takes seconds. */
export const REMOVAL_CHECK_MS = 60_000;
/** Milliseconds before the retry of a failed deletion job; doubled each time. */
export const REMOVAL_RETRY_MS = 30_000;
/** Retries of a deletion job, a quarter of an hour in all; then the sweep takes over. */
export const MAX_REMOVAL_RETRIES = 5;
/** Milliseconds after which the sweep gives an unfinished deletion a new job: the previous one has ended by then. */
export const REMOVAL_OVERDUE_MS = 1_800_000;
/** Retries of a webhook job that failed on our side, ten minutes in all; then the sweep takes over. */
export const MAX_WEBHOOK_JOB_RETRIES = 20;
/** Messages in one batch sent to a queue. */
export const MAX_QUEUE_BATCH = 100;
/** Sessions per step of a tenant's erasure: each takes four calls of D1 and its object. */
export const ERASURE_STEP_SESSIONS = 100;
/** Sessions of a step erased concurrently: more would only delay other tenants. */
export const ERASED_SESSIONS_AT_ONCE = 2;
/** Rows deleted by one statement of a tenant's erasure: with its triggers well below a second. */
export const ERASED_ROWS = 500;
/** Statements per step of a tenant's erasure: a queue consumer may make a thousand calls. */
export const MAX_ERASURE_STATEMENTS = 100;
/** Closed tenants whose erasure one step of the sweep resumes. */
export const MAX_SWEPT_TENANT_REMOVALS = 20;
/** Milliseconds after which a step of a tenant's erasure counts as lost: it takes one or two seconds. */
export const ERASURE_STEP_MS = 60_000;

// Tenants, as the operator is shown them.

/** Tenants whose activity one request asks for, each of whose objects is called. */
export const MAX_ACTIVITY_TENANTS = 50;
/** Rows of sums of a day that are read for one of them: 40 agents with one model each, in every hour. */
export const MAX_ACTIVITY_ROWS = 1_000;
/** Tenants that a search by name looks through for one page: some milliseconds of D1. */
export const MAX_SEARCHED_TENANTS = 5_000;

// The outbox: deliveries from a session to D1.

/** Milliseconds that a delivery to D1 and the queue may take: D1 allows a query 30 s, and a delivery is several. */
export const OUTBOX_DELIVERY_MS = 120_000;
/** Entries per delivery: after an hour without D1 few calls suffice, and each stays short. */
export const MAX_OUTBOX_BATCH = 10;
/** Approximate UTF-16 units of entries, after which a delivery takes no further entry. */
export const MAX_OUTBOX_BATCH_CHARACTERS = 1_000_000;
/** Milliseconds before the first retry of a failed delivery. */
export const OUTBOX_RETRY_MS = 5_000;
/** Longest delay between retries in milliseconds; each is about the age of the oldest entry. */
export const OUTBOX_RETRY_MAX_MS = 600_000;
/** Random part of a delay, so that sessions that lost D1 together do not retry together. */
export const OUTBOX_RETRY_JITTER = 0.2;
/** Milliseconds until a new session checks that D1 lists it: the request that lists it has ended by then. */
export const LISTING_CHECK_MS = 120_000;
/** Milliseconds that a new session waits for its first reply, whose commit then clears the timer of that check, too. */
export const LISTING_REST_MS = 1_000;
