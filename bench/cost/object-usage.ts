/** The use that a Worker's objects have made of the platform since it started, as the platform bills it. */
export interface ObjectUsage {
  /** Calls of objects, by requests and by methods, and their alarms. */
  readonly requests: number;
  /** Rows written in their own storage, alarms included. */
  readonly rows_written: number;
}
