import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseExact } from "../../../agent/exact-number.ts";
import { findUneditableChange } from "../../../agent/answers/find-uneditable-change.ts";

const ASKED = { order_id: "A-1", amount: 5, address: { city: "Bern", lines: ["a", "b"] } };

describe("an edit of a tool that says nothing", () => {
  it("may change everything", () => {
    expect(findUneditableChange(ASKED, { other: true }, undefined)).toBe(null);
  });
});

describe("an edit of what a tool's pointers cover", () => {
  it.each<[string, unknown, readonly string[]]>([
    ["one member", { ...ASKED, amount: 6 }, ["/amount"]],
    ["the member's type", { ...ASKED, amount: { value: 6 } }, ["/amount"]],
    ["two members", { ...ASKED, amount: 6, order_id: "A-2" }, ["/amount", "/order_id"]],
    ["what lies below", { ...ASKED, address: { city: "Basel", lines: [] } }, ["/address"]],
    [
      "one place of a list",
      { ...ASKED, address: { city: "Bern", lines: ["a", "c"] } },
      ["/address/lines/1"],
    ],
    ["by taking it away", { order_id: "A-1", address: ASKED.address }, ["/amount"]],
    ["by adding it", { ...ASKED, note: "quick" }, ["/note"]],
    ["nothing at all", { address: ASKED.address, amount: 5, order_id: "A-1" }, []],
  ])("is free: %s", (_, after, editable) => {
    expect(findUneditableChange(ASKED, after, editable)).toBe(null);
  });

  it("knows names with ~ and / in them", () => {
    expect(findUneditableChange({ "a/b": { "~": 1 } }, { "a/b": { "~": 2 } }, ["/a~1b/~0"])).toBe(
      null,
    );
    expect(findUneditableChange({ "~1": 1 }, { "~1": 2 }, ["/~01"])).toBe(null);
    expect(findUneditableChange({ "/": 1 }, { "/": 2 }, ["/~01"])).toBe("/~1");
  });
});

describe("an edit of anything else", () => {
  it.each<[string, unknown, readonly string[], string]>([
    ["another member", { ...ASKED, order_id: "A-2" }, ["/amount"], "/order_id"],
    [
      "another member beside one that is free",
      { ...ASKED, amount: 6, order_id: "A-2" },
      ["/amount"],
      "/order_id",
    ],
    ["any member where none is free", { ...ASKED, amount: 6 }, [], "/amount"],
    [
      "a neighbour below",
      { ...ASKED, address: { ...ASKED.address, city: "Basel" } },
      ["/address/lines"],
      "/address/city",
    ],
    [
      "a list that becomes longer",
      { ...ASKED, address: { city: "Bern", lines: ["a", "b", "c"] } },
      ["/address/lines/1"],
      "/address/lines/2",
    ],
    [
      "a list that becomes an object",
      { ...ASKED, address: { city: "Bern", lines: { 0: "a", 1: "b" } } },
      ["/address/lines/1"],
      "/address/lines",
    ],
    ["what stands above", { ...ASKED, address: null }, ["/address/city"], "/address"],
    ["a member that is added", { ...ASKED, note: "quick" }, ["/amount"], "/note"],
    [
      "a member whose name begins like it",
      { ...ASKED, amount_cents: 7 },
      ["/amount"],
      "/amount_cents",
    ],
    ["the whole input", [ASKED], ["/amount"], ""],
    [
      "a number in place of its text",
      { ...ASKED, address: { city: "Bern", lines: ["a", 2] } },
      [],
      "/address/lines/1",
    ],
  ])("is named: %s", (_, after, editable, pointer) => {
    expect(findUneditableChange(ASKED, after, editable)).toBe(pointer);
  });

  it("sees what every object is born with for what it is", () => {
    const before = JSON.parse('{"a":1}') as unknown;

    expect(findUneditableChange(before, JSON.parse('{"a":1,"__proto__":{}}'), ["/a"])).toBe(
      "/__proto__",
    );
    expect(findUneditableChange(before, { a: 1, toString: null }, ["/a"])).toBe("/toString");
    expect(findUneditableChange(JSON.parse('{"constructor":1}'), {}, ["/a"])).toBe("/constructor");
  });

  it("compares all digits of a number that no double holds", () => {
    const parse = parseExact;
    const [before, after] = ['{"id":9007199254740993}', '{"id":9007199254740992}'].map(parse);

    expect(findUneditableChange(before, after, ["/amount"])).toBe("/id");
    expect(findUneditableChange(before, after, ["/id"])).toBe(null);
    expect(findUneditableChange(before, parse('{"id":9007199254740993}'), [])).toBe(null);
    expect(
      findUneditableChange(parse('{"id":9007199254740991}'), parse('{"id":9007199254740991}'), []),
    ).toBe(null);
  });

  it("is found wherever it is", () => {
    const members = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }));
    const isPlain = (value: object) => !/\d{16}|e\+/.test(JSON.stringify(value));
    const input = members.filter(isPlain);
    fc.assert(
      fc.property(input, fc.string({ maxLength: 4 }), fc.boolean(), (before, name, isFree) => {
        const after = Object.fromEntries([...Object.entries(before), [name, "an edit"]]);
        const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        const isChanged = !Object.hasOwn(before, name) || before[name] !== "an edit";
        const found = findUneditableChange(before, after, isFree ? [pointer] : []);

        expect(found).toBe(isFree || !isChanged ? null : pointer);
      }),
    );
  });
});
