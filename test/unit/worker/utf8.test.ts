import fc from "fast-check";
import { expect, test } from "vitest";

import { utf8Bytes } from "../../../protocol/utf8-bytes.ts";

test("counts the bytes that an encoder writes, lone surrogates included", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("\ud83d", "\ude00", "a", "é", "€") }),
      (left, right) => {
        for (const text of [left, right]) {
          expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).byteLength);
        }
      },
    ),
  );
});
