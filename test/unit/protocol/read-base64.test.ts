import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readBase64 } from "../../../protocol/read-base64.ts";

const PHOTO = Uint8Array.from({ length: 50 }, (_, index) => (index * 251) % 256);
const PLAIN = Buffer.from(PHOTO).toString("base64");

describe("base64 from outside", () => {
  it.each([
    ["a line break after 76 characters", PLAIN.replace(/(.{20})/g, "$1\r\n")],
    ["url-safe letters", PLAIN.replaceAll("+", "-").replaceAll("/", "_")],
    ["no padding", PLAIN.replaceAll("=", "")],
    ["a data: prefix (nota/gyazo-mcp-server#129)", `data:image/jpeg;base64,${PLAIN}`],
    ["the prefix of another type", `data:image/webp;base64,${PLAIN}`],
    ["a prefix in capitals with a parameter", `DATA:image/png;name=a.png;BASE64,${PLAIN}`],
    ["a prefix after white space", `\n data:audio/mpeg;base64,\n${PLAIN}`],
    ["escapes of an address", `data:image/png;base64,${encodeURIComponent(PLAIN)}`],
  ])("with %s is what was meant", (_, text) => {
    expect(readBase64(text)).toBe(PLAIN);
  });

  it.each([
    ["the placeholder of AgentScope's documents", "..."],
    ["a character too much", `${PLAIN.replaceAll("=", "")}A`.padEnd(69, "A")],
    ["letters of no alphabet", `${PLAIN.slice(0, 8)}!${PLAIN.slice(8)}`],
    ["padding within", `YQ==${PLAIN}`],
    ["padding alone", "===="],
    ["an address without content", "data:image/png"],
    ["a path", "/tmp/photo.png"],
    ["an address", "https://cdn.example/photo.png"],
    ["bytes as a list", "[137, 80, 78, 71]"],
    ["a file as a browser prints it", "[object Object]"],
  ])("that is %s is none", (_, text) => {
    expect(readBase64(text)).toBeNull();
  });

  it.each([
    ["", ""],
    ["YR==", "YQ=="],
    ["YR", "YQ=="],
    ["YWK=", "YWI="],
  ])("%j becomes %j", (text, canonical) => {
    expect(readBase64(text)).toBe(canonical);
  });

  it("is read in every form that Node writes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const buffer = Buffer.from(bytes);
        expect(readBase64(buffer.toString("base64"))).toBe(buffer.toString("base64"));
        expect(readBase64(buffer.toString("base64url"))).toBe(buffer.toString("base64"));
      }),
    );
  });
});
