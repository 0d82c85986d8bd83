// Limits and prices of Cloudflare's paid plan, from its public documentation of 2026-11-21. The amounts included in the
// plan's fee are ignored: they are negligible at this size.

/** Bytes of a D1 database, and of one object. */
export const MAX_DATABASE_BYTES = 10e9;
/** Databases per account; more on request. */
export const MAX_DATABASES = 50_000;
/** Bytes of all databases of an account; more on request. */
export const MAX_DATABASES_BYTES = 1e12;
/** Approximate number of D1 bindings of one Worker. */
export const MAX_BINDINGS = 5_000;
/** Memory of an object, or of the isolate that it shares, in bytes. */
export const ISOLATE_BYTES = 128e6;
/** Seconds that an idle object stays in memory. */
export const OBJECT_REST_SECONDS = 10;

/** Milliseconds of a D1 read. A database runs one query at a time; the documentation assumes 1 ms. */
export const READ_MS = 1;
/** Milliseconds of a D1 write, an assumption that no cell can measure: a durable transaction of some six statements. */
export const WRITE_MS = 5;
/** Usable share of a database's time before requests queue. */
export const MAX_BUSY = 0.5;

/**
 * Dollars. Pricing pages below https://developers.cloudflare.com: workers/platform, durable-objects/platform and d1/platform,
 * each `/pricing/`.
 */
export const PRICES = {
  workerRequest: 0.3 / 1e6,
  processorMs: 0.02 / 1e6,
  objectRequest: 0.15 / 1e6,
  /** Billed for 128 MB, regardless of the actual use. */
  objectSecond: (12.5 / 1e6) * 0.128,
  rowWritten: 1 / 1e6,
  rowRead: 0.001 / 1e6,
  objectGigabyteMonth: 0.2,
  databaseGigabyteMonth: 0.75,
};
