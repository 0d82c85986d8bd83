import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { BODY_BUFFER_BYTES, BODY_FIRST_BUFFER_BYTES } from "../../../protocol/requests/limits.ts";
import { GrowingText } from "../../../runtime/growing-text.ts";

/** The text of bytes that come in pieces of these lengths, over and over. */
function grow(bytes: Uint8Array, lengths: readonly number[]): GrowingText {
  const text = new GrowingText();
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const end = start + (lengths[turn % lengths.length] ?? 1);
    // A piece is good only until the next one comes.
    const piece = bytes.slice(start, end);
    text.add(piece);
    piece.fill(0xff);
    start = end;
  }
  return text;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("text that comes in pieces", () => {
  it("is the same however it is cut", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
        (text, lengths) => {
          expect(grow(encode(text), lengths).finish()).toBe(text.replace(/^\uFEFF/, ""));
        },
      ),
    );
  });

  it("is whole across the ends of its buffer, in pieces of any size", () => {
    const text = "a鯨é🐋".repeat(BODY_BUFFER_BYTES / 4);
    const bytes = encode(text);
    const sizes = [1, 4_096, BODY_FIRST_BUFFER_BYTES + 1, BODY_BUFFER_BYTES, BODY_BUFFER_BYTES + 1];
    for (const lengths of [...sizes.map((size) => [size]), sizes]) {
      const grown = grow(bytes, lengths);
      expect([grown.length, grown.finish() === text]).toEqual([bytes.length, true]);
    }
  });

  it("has no byte order mark", () => {
    expect(grow(encode("\uFEFF{}"), [1]).finish()).toBe("{}");
  });

  it("is null when the bytes are not UTF-8, wherever the wrong one stands", () => {
    for (const at of [0, 100, BODY_BUFFER_BYTES + 10]) {
      const bytes = encode("a".repeat(BODY_BUFFER_BYTES * 2));
      bytes[at] = 0xff;
      expect(grow(bytes, [4_096]).finish()).toBeNull();
    }
  });

  it("is null when the last character is cut off", () => {
    expect(grow(encode("鯨").slice(0, 2), [1]).finish()).toBeNull();
    expect(grow(new Uint8Array(), [1]).finish()).toBe("");
  });
});
