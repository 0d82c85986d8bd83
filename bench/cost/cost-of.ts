// Prices the units that conversations use.
import { PRICES } from "../scale/platform-limits.ts";

const GIGABYTE = 1e9;

/** Units that one conversation uses, on average. */
export interface Usage {
  readonly worker_requests: number;
  readonly object_requests: number;
  /** Seconds in which an object works for a request, or has one open. */
  readonly object_seconds: number;
  readonly object_rows_written: number;
  readonly d1_rows_read: number;
  readonly d1_rows_written: number;
  /** Bytes kept afterwards. */
  readonly object_bytes: number;
  readonly d1_bytes: number;
}

/** In dollars. */
export interface Cost {
  readonly requests: number;
  readonly duration: number;
  readonly rows: number;
  /** For each month in which it is kept. */
  readonly stored_month: number;
}

export function costOf(usage: Usage): Cost {
  return {
    requests:
      usage.worker_requests * PRICES.workerRequest + usage.object_requests * PRICES.objectRequest,
    duration: usage.object_seconds * PRICES.objectSecond,
    rows:
      usage.object_rows_written * PRICES.rowWritten +
      usage.d1_rows_read * PRICES.rowRead +
      usage.d1_rows_written * PRICES.rowWritten,
    stored_month:
      (usage.object_bytes * PRICES.objectGigabyteMonth +
        usage.d1_bytes * PRICES.databaseGigabyteMonth) /
      GIGABYTE,
  };
}
