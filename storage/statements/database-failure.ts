/** What SQLite itself refuses is a mistake of ours or of the data; everything else may pass. */
const OWN_MISTAKE = /SQLITE_(?!BUSY|LOCKED|FULL|IOERR|CANTOPEN|NOMEM|INTERRUPT)/;

/** A full or failing disk, or a database at its largest: D1's words, and SQLite's own in an object. */
const STORAGE_DOWN =
  /SQLITE_(?:FULL|IOERR)|database or disk is full|disk I\/O error|exceeded maximum db size/i;
/** All that the runtime says when it is what has failed, as it does when a commit finds no room. */
const RUNTIME_FAILED = /^internal error(?:; reference = \w+)?$/;

/** Of one row, and not of the database: another row may be taken. */
const REFUSED_ROW = /SQLITE_(CONSTRAINT|TOOBIG|MISMATCH)/;

/** Whether the error says that D1 is well and will never take what it was given. */
export function isRowRefused(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (REFUSED_ROW.test(cause.message)) return true;
  }
  return false;
}

/** Whether the error says that D1 cannot be asked at the moment: it is down, overloaded or out of reach. */
export function isDatabaseDown(error: unknown): boolean {
  let isOfDatabase = false;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (OWN_MISTAKE.test(cause.message)) return false;
    isOfDatabase ||= cause.message.startsWith("D1_") || cause.message.startsWith("D1 ");
  }
  return isOfDatabase;
}

/**
 * Whether the error says that a store cannot write, or the runtime beneath it has failed: D1, or the storage of an
 * object, in which case it may have come across RPC, as the reason of an abort too.
 */
export function isStorageDown(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (STORAGE_DOWN.test(cause.message) || RUNTIME_FAILED.test(cause.message)) return true;
  }
  return false;
}
