/** What SQLite itself refuses is a mistake of ours or of the data; everything else may pass. */
const OWN_MISTAKE = /SQLITE_(?!BUSY|LOCKED|FULL|IOERR|CANTOPEN|NOMEM|INTERRUPT)/;

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
