// Limits of the operator's health report. Each with its unit and its reason.

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
