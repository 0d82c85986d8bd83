import { describe, expect, it } from "vitest";

import { takePage } from "../../../durable-objects/bytes/take-page.ts";
import { MAX_PAGE_BYTES } from "../../../protocol/requests/limits.ts";

const items = (...sizes: readonly number[]) => sizes.map((bytes, item) => ({ item, bytes }));

describe("a page has", () => {
  it.each([
    ["all items that there are", items(1, 1), 3, [0, 1], false],
    ["as many as it was asked for, and no more follow", items(1, 1), 2, [0, 1], false],
    ["as many as it was asked for, and others follow", items(1, 1, 1), 2, [0, 1], true],
    ["as many as fit exactly", items(MAX_PAGE_BYTES - 1, 1), 3, [0, 1], false],
    ["as many as fit", items(MAX_PAGE_BYTES, 1), 3, [0], true],
    ["one that is larger than a page", items(MAX_PAGE_BYTES + 1), 3, [0], false],
    ["only that one", items(MAX_PAGE_BYTES + 1, 1), 3, [0], true],
    ["nothing of nothing", items(), 3, [], false],
  ])("%s", (_what, all, limit, data, hasMore) => {
    expect(takePage(all, limit)).toEqual({ data, hasMore });
  });

  it("read one item more than it has, and none after it", () => {
    let read = 0;
    function* endless() {
      for (;;) {
        read += 1;
        yield { item: read, bytes: 1 };
      }
    }
    takePage(endless(), 2);
    expect(read).toBe(3);
  });
});
