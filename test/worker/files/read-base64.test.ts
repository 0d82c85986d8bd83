import { describe, expect, it } from "vitest";

import { readBase64, readBase64Bytes } from "../../../protocol/read-base64.ts";

const QUANTA = "iVBORw0KGgo+/w==";
/** Large enough for the decoder of the runtime. */
const TEXT = QUANTA.slice(0, -4).repeat(10_000) + QUANTA.slice(-4);
const URL_SAFE = TEXT.replaceAll("+", "-").replaceAll("/", "_");

// Node has no decoder of its own for this, so the suite of protocol/read-base64.ts runs without one.
describe("large base64 from outside, which the runtime decodes", () => {
  it.each([
    ["canonical", TEXT],
    ["in lines", TEXT.replaceAll(/.{76}/g, "$&\r\n")],
    ["url-safe", URL_SAFE],
    ["of both alphabets", URL_SAFE.slice(0, 80_000) + TEXT.slice(80_000)],
    ["without padding", TEXT.replaceAll("=", "")],
    ["with half of its padding and a line break", `${TEXT.slice(0, -1)}\n`],
    ["with a data: prefix", `data:image/jpeg;base64,${TEXT}`],
  ])("is what was meant when it is %s", (_, text) => {
    expect(readBase64(text) === TEXT).toBe(true);
    expect(readBase64Bytes(text)?.byteLength).toBe(90_001);
  });

  it.each([
    ["none", "*".repeat(100_000)],
    ["cut within a quantum", `${TEXT.replaceAll("=", "")}AAA`],
    ["padded in the middle", TEXT + TEXT],
    ["mixed with other characters", TEXT.replaceAll("iVBO", "iV*BO")],
    ["an address without content", `data:image/png;${TEXT}`],
  ])("is none when it is %s", (_, text) => {
    expect([readBase64(text), readBase64Bytes(text)]).toEqual([null, null]);
  });
});
