/** The leases of one session, as they are stored. Times are Unix milliseconds; 0 for none. */
export interface LeaseRow {
  readonly session_id: string;
  readonly running_until: number;
  readonly reading_until: number;
  /** Tokens that were granted to its reply and are not reported as used. */
  readonly reserved: number;
  /** The holder of the share that its reply counts in; null for none. */
  readonly holder: string | null;
}

/** The day on which tokens are counted, `YYYY-MM-DD` in UTC. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, "YYYY-MM-DD".length);
}
