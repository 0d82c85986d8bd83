import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { formatId } from "../../../protocol/ids.ts";
import { decodePageToken, toPage } from "../../../storage/statements/page.ts";

const random = fc.uint8Array({ minLength: 16, maxLength: 16 });
const anyId = fc.tuple(fc.nat(), random).map(([nowMs, bytes]) => formatId("agt", nowMs, bytes));

describe("pages", () => {
  test("a token leads back to the last id of its page", () => {
    fc.assert(
      fc.property(fc.array(anyId, { minLength: 2, maxLength: 30 }), (ids) => {
        const page = toPage(
          ids.map((id) => ({ id })),
          ids.length - 1,
        );

        expect({ ...page, next_page: decodePageToken("agt", page.next_page ?? "") }).toEqual({
          data: ids.slice(0, -1).map((id) => ({ id })),
          has_more: true,
          next_page: ids.at(-2),
        });
      }),
    );
  });

  test("the last page has no token", () => {
    const items = [{ id: "agt_1" }, { id: "agt_2" }];

    expect(toPage(items, 2)).toEqual({ data: items, has_more: false, next_page: null });
  });

  test("a token of another list, a changed one and plain text are refused", () => {
    const [token] = [1, 2].map((nowMs) => {
      const id = formatId("agt", nowMs, new Uint8Array(16));
      return toPage([{ id }, { id }], 1).next_page ?? "";
    });

    expect([
      decodePageToken("key", token ?? ""),
      decodePageToken("agt", `${token}AAAA`),
      decodePageToken("agt", "ä"),
      decodePageToken("agt", ""),
    ]).toEqual([null, null, null, null]);
  });
});
