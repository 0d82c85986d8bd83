import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  appendBase64,
  canonicalBase64,
  decodeBase64,
  encodeBase64,
} from "../../../protocol/base64.ts";

const bytes = fc.uint8Array({ maxLength: 40 });

describe("encodeBase64", () => {
  it("writes what Node writes", () => {
    fc.assert(
      fc.property(bytes, (data) => {
        expect(encodeBase64(data)).toBe(Buffer.from(data).toString("base64"));
      }),
    );
  });

  it("writes more than one piece", () => {
    const data = Uint8Array.from({ length: 20_000 }, (_, index) => index % 251);

    expect(encodeBase64(data)).toBe(Buffer.from(data).toString("base64"));
  });
});

describe("decodeBase64", () => {
  it("reads back every text that Node writes, whatever strangers stand in it", () => {
    const strangers = fc.array(fc.constantFrom("\n", "\r\n", " ", "-", "_", "é", "\u{1f600}"));
    fc.assert(
      fc.property(bytes, strangers, fc.nat(), (data, foreign, place) => {
        const text = Buffer.from(data).toString("base64");
        const dirty = foreign.reduce((mixed, stranger, index) => {
          const at = (place + index * 7) % (mixed.length + 1);
          return mixed.slice(0, at) + stranger + mixed.slice(at);
        }, text);

        expect(decodeBase64(dirty)).toEqual(data);
      }),
    );
  });

  it.each([
    ["", []],
    ["YQ==", [97]],
    ["YR==", [97]],
    ["YWI=", [97, 98]],
    ["YQ==YQ==", [97]],
    ["YQ==YWJj", [97]],
    ["Y=Q==", [97]],
    ["YQ=YWI=", null],
    ["YQ=YWI", null],
    ["YQ=YW", [97, 6, 22]],
    ["=", []],
    ["====", []],
    ["=YQ==", [97]],
    ["YWJj=", [97, 98, 99]],
    ["YWJjYQ==", [97, 98, 99, 97]],
    ["Y", null],
    ["YQ", null],
    ["YWI", null],
    ["YQ=", null],
    ["Y===", null],
    ["Y==", null],
    ["YWJjY", null],
  ])("reads %j as the reference's lenient decoder does", (text, expected) => {
    expect(decodeBase64(text)).toEqual(expected && Uint8Array.from(expected));
  });
});

describe("canonicalBase64", () => {
  it.each([
    ["YR==", "YQ=="],
    ["Y W\nJ j", "YWJj"],
    ["YQ==junk", "YQ=="],
    ["Y", null],
  ])("makes %j %j", (text, expected) => {
    expect(canonicalBase64(text)).toBe(expected);
  });
});

describe("appendBase64", () => {
  it("joins bytes, wherever they are cut", () => {
    fc.assert(
      fc.property(fc.array(bytes), (pieces) => {
        const joined = pieces
          .map((piece) => Buffer.from(piece).toString("base64"))
          .reduce<string | null>(
            (text, piece) => (text === null ? null : appendBase64(text, piece)),
            "",
          );

        expect(joined).toBe(Buffer.concat(pieces).toString("base64"));
      }),
    );
  });

  it.each([
    ["YQ==", "Y"],
    ["", "YQ"],
  ])("is null when %j is to be followed by %j", (existing, incoming) => {
    expect(appendBase64(existing, incoming)).toBeNull();
  });
});
