/** Usage of a database since its start. */
export interface DatabaseCounts {
  /** Round trips; a batch is one. */
  readonly requests: number;
  readonly statements: number;
  /** Rows as billed. */
  readonly rows_read: number;
  readonly rows_written: number;
  /** Current size of the database, in whole pages. */
  readonly size_bytes: number;
}
