import { describe, expect, it } from "vitest";

import { decodeBase64 } from "../../../protocol/base64.ts";

// Node has no decoder of its own for this, so the suite of protocol/base64.ts runs without one.
describe("base64 in the runtime, which has a decoder of its own", () => {
  it("is there", () => {
    expect("fromBase64" in Uint8Array).toBe(true);
  });

  it.each([
    ["", []],
    ["YQ==", [97]],
    ["YWJj", [97, 98, 99]],
    ["Y\nW\tJ j", [97, 98, 99]],
    ["Y-W_J*j", [97, 98, 99]],
    ["YR==", [97]],
    ["YQ", null],
    ["YQ=", null],
    ["YQ==YWJj", [97]],
    ["Y=Q==", [97]],
    ["YQ=YWI=", null],
    ["YQ=YW", [97, 6, 22]],
    ["====", []],
    ["YWJj=", [97, 98, 99]],
    ["Y", null],
    ["é", []],
  ])("reads %j as the platform's own reads it", (text, expected) => {
    expect(decodeBase64(text)).toEqual(expected && Uint8Array.from(expected));
  });

  it("reads a picture of several megabytes, with and without a stranger in it", () => {
    const text = "AQID".repeat(1_500_000);
    const bytes = decodeBase64(text);

    expect(bytes?.byteLength).toBe(4_500_000);
    expect(bytes?.subarray(-3)).toEqual(Uint8Array.of(1, 2, 3));
    expect(decodeBase64(`-${text}`)?.byteLength).toBe(4_500_000);
  });
});
