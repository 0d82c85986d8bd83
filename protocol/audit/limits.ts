// Limits of the audit log. Each with its unit and its reason.

/** Default retention in days, unless `AUDIT_KEPT_DAYS` is set: covers a yearly review. */
export const DEFAULT_AUDIT_KEPT_DAYS = 365;
/**
 * Bytes of the state before, and likewise after the change, in one entry as JSON: settings fit, long prompts do not.
 */
export const MAX_AUDIT_SIDE_BYTES = 8_192;
/** Ids of revoked keys in one entry, beside their total number: twice a tenant's default number of keys. */
export const MAX_AUDITED_KEYS = 200;
/** Characters of a stored IP address: IPv6 has 45 at most. */
export const MAX_AUDIT_ADDRESS_CHARACTERS = 64;
/** Characters of an id in a query: the platform's ids have 30. */
export const MAX_AUDIT_QUERY_CHARACTERS = 64;
/** Entries that an export reads per query: some two megabytes if all have the maximum size. */
export const AUDIT_EXPORT_ROWS = 128;
/** Entries scanned for one page of a list or part of an export, before its filter: ten of the largest pages. */
export const MAX_SCANNED_AUDIT_ENTRIES = 1_000;
/** Expired entries that one step of the cron sweep deletes: several times a busy day's number, within one query. */
export const MAX_PURGED_AUDIT_ENTRIES = 1_000;
