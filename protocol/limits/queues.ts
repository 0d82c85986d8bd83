// The limits of what the queues carry and of the walk that finds what they have lost. Each with its unit and its reason.

/** Milliseconds between two walks, as `wrangler.toml` has it in cron's words: what was lost is late by about as much. */
export const WALK_INTERVAL_MS = 60_000;
/** What triggers the walk of a local platform that begins, in cron's words: its queue has forgotten everything. */
export const WALK_AT_START = "@reboot";
/** Milliseconds after which a delivery that is due and has a job counts as lost: a queue's usual lag is seconds. */
export const WEBHOOK_OVERDUE_MS = 600_000;
/** Lost deliveries that one step of a walk marks; the next step finds others. */
export const MAX_LOST_DELIVERIES = 1_000;
/** Tenants with deliveries that wait whom one step of a walk looks after: a statement for each, in one call of D1. */
export const MAX_WALKED_TENANTS = 50;
/** Unfinished deletions that one step of a walk marks and gives to their queue: what one call of it takes. */
export const MAX_WALKED_REMOVALS = 100;
/** Disabled endpoints of which one step of a walk tells; each takes some calls of D1. */
export const MAX_UNTOLD_ENDPOINTS = 10;
/** Tenants' keys that one step of a walk wraps under a new master key: each takes some tenth of a millisecond. */
export const MAX_REWRAPPED_KEYS = 100;
/** Milliseconds after which somebody looks whether a session's deletion came to its end: one takes seconds. */
export const REMOVAL_CHECK_MS = 60_000;
/** Milliseconds until a deletion's job comes again that has failed, twice as long each time. */
export const REMOVAL_RETRY_MS = 30_000;
/** Times that a deletion's job comes again, a quarter of an hour in all; then it is left to the walk. */
export const MAX_REMOVAL_RETRIES = 5;
/** Milliseconds after which a walk gives an unfinished deletion another job: the one before has ended by then. */
export const REMOVAL_OVERDUE_MS = 1_800_000;
/** Times that a webhook's job comes again that failed on our side, ten minutes in all; then it is left to the walk. */
export const MAX_WEBHOOK_JOB_RETRIES = 20;
/** Messages that a queue takes at once. */
export const MAX_QUEUE_BATCH = 100;
/** Sessions that one step of a tenant's erasure erases: each takes four calls of D1 and its object. */
export const ERASURE_STEP_SESSIONS = 100;
/** Sessions of them that are erased at the same time: more would only keep other tenants waiting. */
export const ERASED_SESSIONS_AT_ONCE = 2;
/** Rows that one statement of a tenant's erasure deletes: with its triggers well below a second. */
export const ERASED_ROWS = 500;
/** Statements of one such step: a consumer of a queue may make a thousand calls. */
export const MAX_ERASURE_STATEMENTS = 100;
/** Closed tenants whose erasure a step of a walk takes up again. */
export const MAX_WALKED_TENANT_REMOVALS = 20;
/** Milliseconds after which a step of a tenant's erasure counts as lost: it takes a second or two. */
export const ERASURE_STEP_MS = 60_000;
