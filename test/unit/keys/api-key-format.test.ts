import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  apiKeyPrefix,
  formatApiKey,
  isApiKey,
  KEY_RANDOM_BYTES,
} from "../../../protocol/keys/api-key-format.ts";

const randomBytes = fc.uint8Array({ minLength: KEY_RANDOM_BYTES, maxLength: KEY_RANDOM_BYTES });
const mode = fc.constantFrom("live" as const, "test" as const);

describe("the form of an API key", () => {
  test("is the prefix, 27 characters of base 62 and 6 of checksum", () => {
    expect([
      formatApiKey("live", new Uint8Array(KEY_RANDOM_BYTES)),
      formatApiKey("test", new Uint8Array(KEY_RANDOM_BYTES).fill(255)),
    ]).toEqual([
      expect.stringMatching(/^rk_live_0{27}[0-9A-Za-z]{6}$/),
      expect.stringMatching(/^rk_test_[0-9A-Za-z]{33}$/),
    ]);
  });

  test("uses the CRC-32 that everybody uses", () => {
    const key = formatApiKey("live", new Uint8Array(KEY_RANDOM_BYTES));
    // 0xe5e920f is zlib's crc32 of the text before the checksum.
    expect(key.slice(-6)).toBe("0GJXbj");
  });

  test("every key that is made is accepted, and distinct bytes make distinct keys", () => {
    fc.assert(
      fc.property(mode, randomBytes, randomBytes, (keyMode, left, right) => {
        const keys = [formatApiKey(keyMode, left), formatApiKey(keyMode, right)];
        expect(keys.map(isApiKey)).toEqual([true, true]);
        expect(keys[0] === keys[1]).toBe(left.every((byte, index) => byte === right[index]));
      }),
    );
  });

  test("any one wrong character, a missing one and one too many are refused", () => {
    fc.assert(
      fc.property(
        mode,
        randomBytes,
        fc.nat(),
        fc.constantFrom(..."09AZaz"),
        (keyMode, random, at, letter) => {
          const key = formatApiKey(keyMode, random);
          const index = 8 + (at % (key.length - 8));
          fc.pre(key[index] !== letter);
          const mistyped = key.slice(0, index) + letter + key.slice(index + 1);
          expect([mistyped, key.slice(0, -1), key + letter].map(isApiKey)).toEqual([
            false,
            false,
            false,
          ]);
        },
      ),
    );
  });

  test("a key of one mode is none of the other", () => {
    const key = formatApiKey("test", new Uint8Array(KEY_RANDOM_BYTES).fill(7));

    expect(isApiKey(key.replace("rk_test_", "rk_live_"))).toBe(false);
  });

  test("what may be shown again holds four random characters", () => {
    const key = formatApiKey("live", new Uint8Array(KEY_RANDOM_BYTES).fill(9));

    expect(apiKeyPrefix(key)).toBe(key.slice(0, "rk_live_".length + 4));
  });
});
