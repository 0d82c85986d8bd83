// Schemas and values made to be slow, each by another way of being so.

export interface HostileCheck {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  readonly value: unknown;
}

const KINDS = 2_000;

export const HOSTILE_CHECKS: readonly HostileCheck[] = [
  {
    name: "every definition against every level",
    schema: {
      $ref: "#/$defs/d0",
      $defs: chain(12, (next) => [next, { additionalProperties: next }]),
    },
    value: wide(3, 9),
  },
  {
    name: "many branches for many items",
    schema: {
      items: { anyOf: range(KINDS).map((kind) => ({ properties: { kind: { const: kind } } })) },
    },
    value: range(KINDS).map(() => ({ kind: -1 })),
  },
  {
    name: "a list of large values for each item",
    schema: { items: { enum: range(100).map((kind) => ({ kind })) } },
    value: range(100).map(() => Object.fromEntries(range(2_000).map((index) => [`m${index}`, 1]))),
  },
  {
    name: "a pattern with as many states as texts",
    schema: { pattern: "^(a|b)*a(a|b){20}c" },
    value: letters(200_000),
  },
  {
    name: "a pattern with very many ways at once",
    schema: { pattern: "^(a|b)*a(a|b){900}c" },
    value: letters(200_000),
  },
  {
    name: "a pattern that looks around in many ways",
    schema: { pattern: "(?=(a|b)*a(a|b){20}c)(?<!b(a|b){20}b)".repeat(8) },
    value: letters(100_000),
  },
  {
    name: "many patterns for many names",
    schema: {
      patternProperties: Object.fromEntries(range(500).map((index) => [`^(a|b)+${index}$`, true])),
    },
    value: Object.fromEntries(range(5_000).map((index) => [letters(20 + (index % 7)) + index, 1])),
  },
  {
    name: "properties of Unicode, put together again and again",
    schema: {
      allOf: range(500).map((index) => ({ pattern: `^[\\p{L}\\p{N}\\p{M}${index}]+$` })),
    },
    value: "abc",
  },
  {
    name: "a pattern of every character there is",
    schema: { pattern: "[^]*1$" },
    value: range(90_000)
      .map((index) => String.fromCodePoint(0x10000 + index))
      .join(""),
  },
  {
    name: "members that nobody has spoken of, through many schemas",
    schema: {
      allOf: range(500).map(() => ({ additionalProperties: true })),
      unevaluatedProperties: false,
    },
    value: Object.fromEntries(range(20_000).map((index) => [`m${index}`, 1])),
  },
  {
    name: "an address for each of many schemas",
    schema: {
      allOf: range(3_000).map((index) => ({
        $id: `${"a/".repeat(10)}${index}`,
        items: { $ref: "#" },
      })),
    },
    value: range(100).map(() => []),
  },
  {
    name: "fractions of long numbers",
    schema: { items: { multipleOf: 1e-300 } },
    value: range(200_000).map((index) => index * 1e300),
  },
];

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Looks random, and is the same each time. */
function letters(count: number): string {
  let state = 12_345;
  return range(count)
    .map(() => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >> 16) % 2 === 0 ? "a" : "b";
    })
    .join("");
}

/** Definitions that lead to the next one by all of `parts`. */
function chain(length: number, parts: (next: object) => readonly object[]): object {
  return Object.fromEntries(
    range(length).map((index) => [
      `d${index}`,
      {
        allOf: parts({ $ref: `#/$defs/d${(index + 1) % length}` }).slice(
          index === length - 1 ? 1 : 0,
        ),
      },
    ]),
  );
}

/** Each level has `members` members. */
function wide(members: number, levels: number): unknown {
  if (levels === 0) return 1;
  return Object.fromEntries(
    ["a", "b", "c"].slice(0, members).map((name) => [name, wide(members, levels - 1)]),
  );
}
