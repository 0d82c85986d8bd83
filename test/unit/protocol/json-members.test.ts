import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { readMembers } from "../../../protocol/read-members.ts";

describe("the members of a JSON object", () => {
  test("are the texts of its values, whatever these hold", () => {
    const text = ' {"a" : [1,{"b":"}]\\",{"}] , "c\\u0064":\n"\\"{", "e":{}} ';

    expect([...(readMembers(text, 3) ?? [])]).toEqual([
      ["a", ' [1,{"b":"}]\\",{"}] '],
      ["cd", '\n"\\"{"'],
      ["e", "{}"],
    ]);
  });

  test("have the last value of a name that is there twice", () => {
    expect([...(readMembers('{"a":1,"b":2,"a":3}', 3) ?? [])]).toEqual([
      ["a", "3"],
      ["b", "2"],
    ]);
  });

  test.each([
    ["no object", "[1]"],
    ["nothing", ""],
    ["an empty object", "{}"],
    ["more members than may be", '{"a":1,"b":2,"c":3,"d":4}'],
    ["an object without an end", '{"a":1'],
    ["something behind it", '{"a":1} x'],
    ["a name that is none", "{a:1}"],
    ["a name with a bad escape", '{"\\x":1}'],
    ["no colon", '{"a" 1}'],
    ["brackets that close too much", '{"a":]}'],
  ])("are not read of %s", (_, text) => {
    expect(readMembers(text, 3)).toBe(null);
  });

  test("parse to what the whole text parses to", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (object) => {
        const text = JSON.stringify(object, null, 1);

        const members = readMembers(text, 1_000);

        expect([...(members ?? [])].map(([name, member]) => [name, JSON.parse(member)])).toEqual(
          Object.entries(JSON.parse(text) as object),
        );
      }),
    );
  });

  test("are read in hostile text of eight million characters", () => {
    const deep = "[".repeat(4_000_000) + "]".repeat(4_000_000);
    const texts = [
      `{"a":${deep}}`,
      `{"a":${"[".repeat(8_000_000)}`,
      `{"${'\\"'.repeat(4_000_000)}`,
    ];

    expect(texts.map((text) => readMembers(text, 3)?.get("a")?.length ?? null)).toEqual([
      8_000_000,
      null,
      null,
    ]);
  });
});
