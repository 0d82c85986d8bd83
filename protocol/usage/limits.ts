// Limits of series of replies. Each with its unit and its reason.

/** Days that sums by hour are kept: a quarter, to compare a season with the one before. */
export const SERIES_KEPT_DAYS = 90;
/** Days of a series by the hour: more hours than a screen has pixels for bars. */
export const MAX_HOURLY_DAYS = 7;
/** Days of a series when the request names none. */
export const DEFAULT_SERIES_DAYS = 7;
/** Points of one answer: about a megabyte. */
export const MAX_SERIES_POINTS = 2_000;
/** Waiting calls whose ages one answer counts, the oldest first. */
export const MAX_AGED_CALLS = 10_000;
/** Rows that one step of the sweep deletes. */
export const MAX_PURGED_HOURS = 500;
