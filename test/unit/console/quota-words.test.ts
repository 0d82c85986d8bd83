// The quotas that the page shows, by what the platform behind it has.
import { expect, test } from "vitest";

import { quotasOf } from "../../../console/components/quotas/quota-words.ts";
import { DEFAULT_QUOTAS } from "../../../protocol/quotas/contract.ts";

/** The quotas that are one value: the share of an end user has a list of its own. */
const { end_user_share: _share, ...VALUES } = DEFAULT_QUOTAS;

const names = (values: Parameters<typeof quotasOf>[0]) => quotasOf(values).map(({ name }) => name);

test("each quota of this release has its words", () => {
  expect(names(VALUES).toSorted()).toEqual(Object.keys(VALUES).toSorted());
});

test("a quota that an older platform lacks is left out", () => {
  const { database_bytes: _, ...older } = VALUES;

  expect(names(older)).not.toContain("database_bytes");
  expect(names(older)).toHaveLength(Object.keys(VALUES).length - 1);
});
