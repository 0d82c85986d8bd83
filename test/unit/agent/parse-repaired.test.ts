// Answers of which a part is better than nothing.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { closeJson } from "../../../agent/json/close-json.ts";
import { parseRepaired } from "../../../agent/json/parse-repaired.ts";
import {
  MAX_CALL_INPUT_CHARACTERS,
  MAX_REPAIRED_CHARACTERS,
} from "../../../protocol/schemas/limits.ts";
import { runs } from "../../support/breadth.ts";

const TOO_LONG = {
  ok: false,
  isCutOff: false,
  problem: "is not JSON, and with more than 4096 characters too long to be repaired",
};

describe("JSON that is cut off anywhere", () => {
  it("is closed into a part of the whole", () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 3 }), fc.nat(), (value, place) => {
        const text = JSON.stringify(value);
        const cut = text.slice(0, 1 + (place % (text.length - 1)));
        const closed = closeJson(cut);

        const opened = closed === null ? null : (JSON.parse(closed) as unknown);
        expect(isPart(opened, JSON.parse(text))).toBe(true);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it.each([
    ['{"a": 1, "b": [1, 2', { a: 1, b: [1] }],
    ['{"a": "half a te', { a: "half a te" }],
    ['{"a": "x", "half a na', { a: "x" }],
    ['{"a": "x", "b"', { a: "x" }],
    ['{"a": "x", "b":', { a: "x" }],
    ['{"a": [{"b": tru', { a: [{}] }],
    ['{"a": "\\', { a: "" }],
    ['{"a": "\\u00', { a: "" }],
    ['{"a": "\\\\', { a: "\\" }],
    ['{"a": "x\\ud83d\\u', { a: "x" }],
    ['{"a": "x\ud83d', { a: "x" }],
    ['{"a": {"b": {}}', { a: { b: {} } }],
    ['{"a": 1,', { a: 1 }],
    ['["a", {"b": "c"', ["a", { b: "c" }]],
  ])("keeps what is whole: %s", (text, value) => {
    expect(JSON.parse(closeJson(text) ?? "")).toEqual(value);
  });

  it("is nothing to close where nothing is open", () => {
    expect([closeJson("5"), closeJson('"a"'), closeJson("]]")]).toEqual([null, null, null]);
  });
});

describe("an answer", () => {
  it("is repaired where it is short", () => {
    expect(parseRepaired("{'a': 1, b: \"c\",")).toEqual({ ok: true, input: { a: 1, b: "c" } });
  });

  it("is closed where it is long, and was cut off", () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: "x" }));
    const text = JSON.stringify({ rows });

    expect(parseRepaired(text.slice(0, -3))).toEqual({ ok: true, input: { rows } });
  });

  it.each([
    ["that is slow to repair", `[${'"a" b '.repeat(24_000)}`],
    ["that is deep and never was JSON", "[{".repeat(4_000)],
    ["of quotes", '"\\'.repeat(60_000)],
  ])("%s is refused where it is long", (_what, text) => {
    expect(text.length).toBeGreaterThan(MAX_REPAIRED_CHARACTERS);
    expect(parseRepaired(text)).toEqual(TOO_LONG);
  });

  it("has a length that nobody writes", () => {
    const problem = "has more than 1000000 characters";
    const text = `"${"x".repeat(MAX_CALL_INPUT_CHARACTERS)}"`;

    expect(parseRepaired(text)).toEqual({ ok: false, isCutOff: false, problem });
  });
});

/** Each member and item is that of the whole, but for the last text, of which it may be the beginning. */
function isPart(part: unknown, whole: unknown): boolean {
  if (typeof part === "string" && typeof whole === "string") return whole.startsWith(part);
  if (typeof part !== "object" || part === null) return part === null || part === whole;
  return Object.entries(part).every(([name, member]) =>
    isPart(member, (whole as Record<string, unknown>)[name]),
  );
}
