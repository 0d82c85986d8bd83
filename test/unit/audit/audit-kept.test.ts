import { expect, it } from "vitest";

import { auditKeptSince } from "../../../worker/audit/audit-kept-since.ts";

const DAY_MS = 86_400_000;
const NOW_MS = 1_000 * DAY_MS;

it.each([
  [undefined, 365],
  ["30", 30],
  ["0", 365],
  ["-1", 365],
  ["a year", 365],
  ["1e9", 365],
])("entries of the audit are kept for %s: %i days", (AUDIT_KEPT_DAYS, days) => {
  expect(Date.parse(auditKeptSince({ AUDIT_KEPT_DAYS }, NOW_MS))).toBe(NOW_MS - days * DAY_MS);
});
