// The quotas that the page shows, by what the platform behind it has.
import { expect, test } from "vitest";

import { quotasOf } from "../../../console/components/quotas/quota-words.ts";
import { DEFAULT_QUOTAS } from "../../../protocol/api/tenants/quotas.ts";

const names = (values: Parameters<typeof quotasOf>[0]) => quotasOf(values).map(({ name }) => name);

test("each quota of this release has its words", () => {
  expect(names(DEFAULT_QUOTAS).toSorted()).toEqual(Object.keys(DEFAULT_QUOTAS).toSorted());
});

test("a quota that an older platform lacks is left out", () => {
  const { database_bytes: _, ...older } = DEFAULT_QUOTAS;

  expect(names(older)).not.toContain("database_bytes");
  expect(names(older)).toHaveLength(Object.keys(DEFAULT_QUOTAS).length - 1);
});
