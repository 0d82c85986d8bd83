/** Writes of a session's object since it woke. */
export interface RowCounts {
  /** Rows as billed, including alarms. */
  readonly written: number;
  /** Rows of the event log. */
  readonly events: number;
  /** Size of its database, in whole pages. */
  readonly size_bytes: number;
}
