// Classifies errors of D1 and of objects' storage by their messages, which is all that they offer.

/** Errors of SQLite that are caused by our statement or its data, and so not temporary. */
const OWN_MISTAKE = /SQLITE_(?!BUSY|LOCKED|FULL|IOERR|CANTOPEN|NOMEM|INTERRUPT)/;

/** A full or failing disk, or a database at its maximum size: messages of D1, and of SQLite in an object. */
const STORAGE_DOWN =
  /SQLITE_(?:FULL|IOERR)|database or disk is full|disk I\/O error|exceeded maximum db size/i;
/** The runtime's message for its own failures, for example when a commit finds no space. */
const RUNTIME_FAILED = /^internal error(?:; reference = \w+)?$/;

/** Errors of one row: the database would accept others. */
const REFUSED_ROW = /SQLITE_(CONSTRAINT|TOOBIG|MISMATCH)/;

/** Whether D1 works but refuses this row permanently. */
export function isRowRefused(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (REFUSED_ROW.test(cause.message)) return true;
  }
  return false;
}

/** Whether D1 is temporarily unavailable: down, overloaded or unreachable. */
export function isDatabaseDown(error: unknown): boolean {
  let isOfDatabase = false;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (OWN_MISTAKE.test(cause.message)) return false;
    isOfDatabase ||= cause.message.startsWith("D1_") || cause.message.startsWith("D1 ");
  }
  return isOfDatabase;
}

/**
 * Whether a store cannot write, or the runtime has failed: D1 or the storage of an object, whose error may arrive over
 * RPC, also as the reason of an abort.
 */
export function isStorageDown(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (STORAGE_DOWN.test(cause.message) || RUNTIME_FAILED.test(cause.message)) return true;
  }
  return false;
}
