/** What a database was asked since it was started. */
export interface DatabaseCounts {
  /** Each a round trip; a batch is one. */
  readonly requests: number;
  readonly statements: number;
  /** Rows as they are billed. */
  readonly rows_read: number;
  readonly rows_written: number;
  /** Of the whole database now, in whole pages. */
  readonly size_bytes: number;
}
