/** What a session's object has written since it was woken. */
export interface RowCounts {
  /** Rows as they are billed, alarms included. */
  readonly written: number;
  /** Rows of the event log. */
  readonly events: number;
  /** Of its whole database, in whole pages. */
  readonly size_bytes: number;
}
