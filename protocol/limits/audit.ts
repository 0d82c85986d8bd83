// Limits of the record of administrative acts. Each with its unit and its reason.

/** Days for which an entry is kept, unless `AUDIT_KEPT_DAYS` says otherwise: what yearly reviews look back on. */
export const DEFAULT_AUDIT_KEPT_DAYS = 365;
/** Bytes of what was before, and again of what is after, in one entry as JSON: settings fit, long prompts do not. */
export const MAX_AUDIT_SIDE_BYTES = 8_192;
/** Ids of revoked keys that one entry names, beside how many there were: twice as many as a tenant has by default. */
export const MAX_AUDITED_KEYS = 200;
/** Characters of an address that is kept: one of IPv6 has 45. */
export const MAX_AUDIT_ADDRESS_CHARACTERS = 64;
/** Characters of an id that is looked for: those of the platform have 30. */
export const MAX_AUDIT_QUERY_CHARACTERS = 64;
/** Entries that an export reads at once: some two megabytes where each is as large as one can be. */
export const AUDIT_EXPORT_ROWS = 128;
/** Entries that one part of a list or an export looks at, whatever its filter leaves out: ten of the largest pages. */
export const MAX_LOOKED_AUDIT_ENTRIES = 1_000;
/** Entries whose time is over that one step of the walk removes: a few times what a busy day writes, within one query. */
export const MAX_PURGED_AUDIT_ENTRIES = 1_000;
