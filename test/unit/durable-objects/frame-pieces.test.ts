import fc from "fast-check";
import { expect, it } from "vitest";

import { framesAfter, piecesAfter } from "../../../durable-objects/log/frame-bytes.ts";
import { joinBytes } from "../../../durable-objects/bytes/join-bytes.ts";
import { encodeFrame } from "../../../protocol/sse.ts";

const text = fc.string({ unit: "grapheme", maxLength: 40 });

/** The bytes, cut at these places. */
function piecesOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  const sorted = places.toSorted((one, other) => one - other);
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

it("frames that come in pieces, cut anywhere, are those behind the cursor", () => {
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      fc.nat(40),
      (texts, cuts, cursor) => {
        const frames = texts.map((each, index) =>
          encodeFrame(`${(index + 1) * 5}`, "CUSTOM", JSON.stringify({ each })),
        );
        const bytes = new TextEncoder().encode(frames.join(""));

        const read = joinBytes([...piecesAfter(piecesOf(bytes, cuts), cursor)]);

        expect(read).toEqual(framesAfter(bytes, cursor));
      },
    ),
  );
});
