export type LogForm = "stored" | "frames" | "deflated_frames" | "deflated_stored";

/** Writes of a session's object since it woke. */
export interface RowCounts {
  /** Rows as billed, including alarms. */
  readonly written: number;
  /** Rows of the event log. */
  readonly events: number;
  /** Size of its database, in whole pages. */
  readonly size_bytes: number;
  /** By what wrote them: a statement's verb and table, or a method of the storage. */
  readonly by_statement: Readonly<Record<string, number>>;
  /** Bytes of all rows of the event log: as stored, and as their frames are, each row as it is and deflated. */
  readonly log: Readonly<Record<LogForm, number>>;
}
