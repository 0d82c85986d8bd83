import { expect, test } from "vitest";

import { costOf, type Usage } from "../../../bench/cost/cost-of.ts";

const NOTHING: Usage = {
  worker_requests: 0,
  object_requests: 0,
  object_seconds: 0,
  object_rows_written: 0,
  d1_rows_read: 0,
  d1_rows_written: 0,
  object_bytes: 0,
  d1_bytes: 0,
};

test.each([
  [{ worker_requests: 1e6, object_requests: 1e6 }, { requests: 0.45 }],
  // 128 MB for a million seconds are 128,000 GB-seconds.
  [{ object_seconds: 1e6 }, { duration: 1.6 }],
  [{ object_rows_written: 1e6, d1_rows_read: 1e9, d1_rows_written: 1e6 }, { rows: 3 }],
  [{ object_bytes: 5e9, d1_bytes: 4e9 }, { stored_month: 4 }],
])("%o costs %o dollars, and nothing else", (used, wanted) => {
  const cost = costOf({ ...NOTHING, ...used });
  const rounded = Object.entries(cost).map(([name, dollars]) => [name, Number(dollars.toFixed(9))]);

  const nothing = { requests: 0, duration: 0, rows: 0, stored_month: 0 };
  expect(Object.fromEntries(rounded)).toEqual({ ...nothing, ...wanted });
});
