// Limits and prices of the platform, from its public documentation as read on 2026-11-21, the paid plan. What is included
// in the plan's fee is left out: it is nothing at this size.

/** Of a D1 database, and of one object. */
export const MAX_DATABASE_BYTES = 10e9;
/** Databases of an account; more by request. */
export const MAX_DATABASES = 50_000;
/** Bytes of all databases of an account; more by request. */
export const MAX_DATABASES_BYTES = 1e12;
/** Databases that one Worker can be bound to, about. */
export const MAX_BINDINGS = 5_000;
/** Bytes of memory of an object, or of the isolate that it shares with others. */
export const ISOLATE_BYTES = 128e6;
/** Seconds that an object without work stays in memory. */
export const OBJECT_REST_SECONDS = 10;

/** Milliseconds of a D1 query. A database runs one at a time; the documentation reckons with one of 1 ms. */
export const READ_MS = 1;
/** An assumption, which no cell can measure: a transaction of some six statements that is made durable. */
export const WRITE_MS = 5;
/** Part of a database's time that can be used before requests wait for each other. */
export const MAX_BUSY = 0.5;

/** Dollars. */
export const PRICES = {
  workerRequest: 0.3 / 1e6,
  processorMs: 0.02 / 1e6,
  objectRequest: 0.15 / 1e6,
  /** An object has 128 MB, whatever it uses. */
  objectSecond: (12.5 / 1e6) * 0.128,
  rowWritten: 1 / 1e6,
  objectGigabyteMonth: 0.2,
  databaseGigabyteMonth: 0.75,
};
