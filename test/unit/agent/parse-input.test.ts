// Reading of a call's input as a model wrote it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { exactText } from "../../../agent/exact-number.ts";
import { parseInput } from "../../../agent/json/parse-input.ts";
import { MAX_CALL_INPUT_CHARACTERS } from "../../../protocol/schemas/limits.ts";
import { runs } from "../../support/breadth.ts";

const FENCE = "```";
const SEVERAL = "is not one JSON object, but several";
const NO_JSON = "is not JSON";
const CUT_OFF = "is cut off: it ends before its object is closed";
const BACKSLASHES = "is not JSON: each backslash in a text has to be written twice";

/** Objects as models write them; their texts have brackets, quotes and backslashes too. */
const inputs = fc.dictionary(
  fc.string({ maxLength: 6 }),
  fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({
      unit: fc.constantFrom("{", "}", "[", "]", '"', "'", "\\", "/", "*", ",", ":", "\n"),
    }),
    fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map(String),
  ),
  { minKeys: 1, maxKeys: 5 },
);

describe("an input that is cut off anywhere", () => {
  it.each([
    ["as it is", (text: string) => text],
    ["in a text of JSON", (text: string) => JSON.stringify(text)],
    ["in a fence", (text: string) => `${FENCE}json\n${text}\n${FENCE}`],
    ["behind an empty object", (text: string) => ` // to be sure\n${text}`],
  ])("is whole, or not read: %s", (_, encode) => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(0, 2), (input, indent) => {
        const text = encode(JSON.stringify(input, null, indent));
        const whole = JSON.stringify(input);
        for (let end = 1; end <= text.length; end += 1) {
          const read = parseInput(text.slice(0, end));
          const isWhole =
            read.ok && JSON.stringify(read.input) === JSON.stringify(JSON.parse(whole));
          // Nothing was written yet.
          const isBare = text.slice(0, end).trim() === "";
          if (read.ok && !isBare)
            expect([text.slice(0, end), isWhole]).toEqual([text.slice(0, end), true]);
          if (end === text.length) expect(isWhole).toBe(true);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it.each([
    '{"order_id":"A-1001","amount":12',
    '{"order_id":"A-10',
    '{"order_id":"A-1001",',
    '{"order_id":"A-1001"',
    '{"order_id":',
    '{"order_id"',
    '{"order',
    "{",
    '{"a":1.',
    '{"a":-',
    '{"a":tr',
    '{"a":[{"b":2}',
    '{"a":"x\\',
    '{"a":"x\\u00',
    "{'a': 'x",
    '{"a":1} /* and',
    '"{\\"a\\":1',
    `${FENCE}json\n{"a":1`,
  ])("is told as cut off: %s", (text) => {
    expect(parseInput(text)).toEqual({ ok: false, problem: CUT_OFF, isCutOff: true });
  });
});

describe("an input in another form", () => {
  it.each([
    ["nothing", "", {}],
    ["white space", " \n", {}],
    ["null", "null", {}],
    ["a text with nothing in it", '""', {}],
    ["JSON in a text of JSON", JSON.stringify('{"a":1}'), { a: 1 }],
    ["JSON in a text in a text", JSON.stringify(JSON.stringify('{"a":1}')), { a: 1 }],
    ["a fence", `${FENCE}json\n{"a":1}\n${FENCE}`, { a: 1 }],
    ["a fence without a language", `${FENCE}\n{"a":1}${FENCE}`, { a: 1 }],
    ["an empty object before it", '{}{"a":1}', { a: 1 }],
    ["the same twice", '{"a":1}{ "a": 1 }', { a: 1 }],
    ["a bracket too many", '{"a":1}}', { a: 1 }],
    ["commas at ends", '{"a":[1,2,],}', { a: [1, 2] }],
    ["no comma before a line", '{"a":1\n "b":2}', { a: 1, b: 2 }],
    ["single quotes", "{'a': 'it\\'s \"x\"'}", { a: 'it\'s "x"' }],
    ["typographic quotes", "{“a”: “b”}", { a: "b" }],
    ["Python", "{'a': True, 'b': None, 'c': False}", { a: true, b: null, c: false }],
    ["JavaScript", '{a: 1, $b_2: "c"} // done\n', { a: 1, $b_2: "c" }],
    ["comments", '{/* first */"a":1}', { a: 1 }],
    ["line breaks in a text", '{"a":"x\n\ty"}', { a: "x\n\ty" }],
    ["an escaped quote of the other kind", '{"a":"it\\\'s"}', { a: "it's" }],
    ["backslashes that escape nothing", '{"order_id":"C:\\dir\\x"}', { order_id: "C:\\dir\\x" }],
    ["a pattern", '{"a":"say \\"\\d+\\""}', { a: 'say "\\d+"' }],
    ["no code behind a u", '{"a":"C:\\users"}', { a: "C:\\users" }],
    ["a member of the prototype", '{"__proto__":1,}', JSON.parse('{"__proto__":1}')],
    ["half a pair of surrogates", '{"a":"\\ud83d",}', { a: "\ud83d" }],
  ])("is read where it is clear: %s", (_, text, input) => {
    expect(parseInput(text)).toEqual({ ok: true, input });
  });

  it.each([
    ["a list", '[{"a":1}]', "is a list, and has to be an object"],
    ["a number", "7", "is a number, and has to be an object"],
    ["a truth value", "true", "is a truth value, and has to be an object"],
    ["a word in quotes", '"A-1001"', "is a text, and has to be an object"],
    ["a list in a text", JSON.stringify("[1]"), "is a list, and has to be an object"],
    ["broken JSON in a text", JSON.stringify('{"a" 1}'), NO_JSON],
    ["words", "the order A-1001", NO_JSON],
    ["words before it", 'Here: {"a":1}', NO_JSON],
    ["words behind it", '{"a":1} as asked', NO_JSON],
    ["two objects", '{"order_id":"A-1"}{"order_id":"B-2"}', SEVERAL],
    ["a value that is not there", '{"a":,"b":1}', NO_JSON],
    ["undefined", '{"a":undefined}', NO_JSON],
    ["no number", '{"a":NaN}', NO_JSON],
    ["a word", "{order_id: A-1001}", NO_JSON],
    ["a sum", '{"a":1+2}', NO_JSON],
    ["zeros in front", '{"a":007}', NO_JSON],
    ["a separated number", '{"a":1,200}', NO_JSON],
    ["quotes in a text", '{"a":"he said "hi" twice"}', NO_JSON],
    ["quotes side by side", '{"a":"x""b":"y"}', NO_JSON],
    ["a pair in place of a member", '{"a"}', NO_JSON],
    ["a call", 'f({"a":1})', NO_JSON],
    ["no comma in a list", '{"a":[1 2]}', NO_JSON],
    ["backslashes of both kinds", '{"a":"C:\\dir\\new"}', BACKSLASHES],
    ["an escaped backslash beside one", '{"a":"C:\\\\dir\\x"}', BACKSLASHES],
    ["a line that goes on", '{"a":"x\\\ny"}', NO_JSON],
  ])("is told where it is not: %s", (_, text, problem) => {
    expect(parseInput(text)).toEqual({ ok: false, problem, isCutOff: false });
  });

  it.each([
    ["that is slow to repair", `{${'"a" b '.repeat(24_000)}`, NO_JSON],
    ["of quotes", `{"a":'${'"\\'.repeat(60_000)}`, CUT_OFF],
    ["that is deep and never was JSON", '{"a":'.repeat(40_000), "has more than 64 levels"],
    ["of objects", "{}".repeat(400_000), SEVERAL],
    ["of comments", `{${"/**/".repeat(200_000)}`, CUT_OFF],
  ])("is read in the time of its length: %s", (_, text, problem) => {
    const read = parseInput(text);

    expect(read.ok ? null : read.problem).toBe(problem);
  });

  it("has a length that nobody writes", () => {
    const problem = "has more than 1000000 characters";
    const text = `{"a":"${"x".repeat(MAX_CALL_INPUT_CHARACTERS)}"}`;

    expect(parseInput(text)).toEqual({ ok: false, problem, isCutOff: false });
  });
});

describe("a number in an input", () => {
  it.each([
    ["2512292042121000001", "2512292042121000001"],
    ["725653563933458432", "725653563933458432"],
    ["-9007199254740993", "-9007199254740993"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
    ["9007199254740993.5", "9007199254740993.5"],
    ["1e400", "1e400"],
  ])("%s keeps its digits", (written, digits) => {
    const read = parseInput(`{"id":${written}}`);
    const lenient = parseInput(`{'id':${written},}`);

    expect(read).toEqual(lenient);
    expect(read.ok && JSON.stringify(read.input)).toBe(`{"id":${digits}}`);
  });

  it.each([
    "0",
    "-1.5",
    "9007199254740991",
    "1e21",
    "2.5E+30",
    "0.1",
    "1.0",
    "1000000000000000128",
  ])("%s is a number like any other where a double has it", (written) => {
    const read = parseInput(`{"id":${written}}`);
    const id = read.ok ? (read.input as { id: unknown }).id : null;

    const isHeld = typeof id === "number" || exactText(id) === written;
    expect([isHeld, Number(JSON.stringify(id))]).toEqual([true, Number(written)]);
  });
});
