/** What SQLite itself refuses is a mistake of ours or of the data; everything else may pass. */
const OWN_MISTAKE = /SQLITE_(?!BUSY|LOCKED|FULL|IOERR|CANTOPEN|NOMEM|INTERRUPT)/;

/** Whether the error says that D1 cannot be asked at the moment: it is down, overloaded or out of reach. */
export function isDatabaseDown(error: unknown): boolean {
  let isOfDatabase = false;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (OWN_MISTAKE.test(cause.message)) return false;
    isOfDatabase ||= cause.message.startsWith("D1_") || cause.message.startsWith("D1 ");
  }
  return isOfDatabase;
}
