// JSON Patch over a state: what the standard says, and what a state may not become.
import { describe, expect, it } from "vitest";

import { applyPatch } from "../../../agent/json/apply-patch.ts";
import { JsonPatchSchema } from "../../../protocol/shared-state/contract.ts";
import {
  MAX_PATCH_BYTES,
  MAX_PATCH_OPERATIONS,
  MAX_SHARED_STATE_BYTES,
} from "../../../protocol/shared-state/limits.ts";
import type { PatchOperation } from "../../../protocol/json-patch.ts";
import type { StateObject } from "../../../protocol/shared-state/events.ts";
import { deepFreeze } from "../../support/deep-freeze.ts";

function patched(state: StateObject, ...patch: readonly PatchOperation[]) {
  const outcome = applyPatch(deepFreeze(state), deepFreeze([...patch]));
  return outcome.ok ? outcome.state : [outcome.code, outcome.operation, outcome.detail];
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}

/** A state of exactly so many bytes. */
function sized(bytes: number): StateObject {
  return { text: "x".repeat(bytes - '{"text":""}'.length) };
}

describe("a patch", () => {
  it.each<[string, StateObject, PatchOperation, unknown]>([
    ["adds a member", { a: 1 }, { op: "add", path: "/b", value: { c: 2 } }, { a: 1, b: { c: 2 } }],
    ["replaces a member that it adds", { a: 1 }, { op: "add", path: "/a", value: 2 }, { a: 2 }],
    [
      "puts an element before another",
      { a: [1, 3] },
      { op: "add", path: "/a/1", value: 2 },
      { a: [1, 2, 3] },
    ],
    [
      "appends by the index after the last",
      { a: [1] },
      { op: "add", path: "/a/1", value: 2 },
      { a: [1, 2] },
    ],
    ["appends by -", { a: [1] }, { op: "add", path: "/a/-", value: [2] }, { a: [1, [2]] }],
    ["removes a member", { a: 1, b: 2 }, { op: "remove", path: "/a" }, { b: 2 }],
    ["removes an element", { a: [1, 2, 3] }, { op: "remove", path: "/a/1" }, { a: [1, 3] }],
    [
      "replaces a value",
      { a: { b: 1 } },
      { op: "replace", path: "/a/b", value: null },
      { a: { b: null } },
    ],
    ["replaces the whole", { a: 1 }, { op: "replace", path: "", value: { b: 2 } }, { b: 2 }],
    [
      "moves a value",
      { a: { b: 1 }, c: {} },
      { op: "move", from: "/a/b", path: "/c/d" },
      { a: {}, c: { d: 1 } },
    ],
    [
      "moves an element",
      { a: [1, 2, 3] },
      { op: "move", from: "/a/0", path: "/a/2" },
      { a: [2, 3, 1] },
    ],
    [
      "leaves what moves to its own place",
      { a: 1 },
      { op: "move", from: "/a", path: "/a" },
      { a: 1 },
    ],
    ["copies a value", { a: [1] }, { op: "copy", from: "/a", path: "/b" }, { a: [1], b: [1] }],
    [
      "reads ~1 and ~0 in names",
      { "a/b": 1, "~1": 2 },
      { op: "remove", path: "/a~1b" },
      { "~1": 2 },
    ],
    ["unescapes a name once", { "~1": 1, "/": 2 }, { op: "remove", path: "/~01" }, { "/": 2 }],
    ["takes the empty name", { "": 1 }, { op: "replace", path: "/", value: 2 }, { "": 2 }],
    [
      "takes digits as a member's name",
      { a: {} },
      { op: "add", path: "/a/01", value: 1 },
      { a: { "01": 1 } },
    ],
    ["takes - as a member's name", {}, { op: "add", path: "/-", value: 1 }, { "-": 1 }],
    [
      "passes a test of a deep value",
      { a: { b: 1, c: [2] } },
      { op: "test", path: "/a", value: { c: [2], b: 1 } },
      { a: { b: 1, c: [2] } },
    ],
  ])("%s", (_, state, operation, after) => {
    expect(patched(state, operation)).toEqual(after);
  });

  it.each<[string, StateObject, PatchOperation, string]>([
    [
      "a test of another value",
      { a: 1 },
      { op: "test", path: "/a", value: "1" },
      'the test of "/a" failed: another value is there',
    ],
    [
      "a test with a hostile member",
      { a: {} },
      { op: "test", path: "/a", value: { hasOwnProperty: 1 } },
      'the test of "/a" failed: another value is there',
    ],
    ["a test of nothing", {}, { op: "test", path: "/a", value: null }, 'there is nothing at "/a"'],
    ["a removal of nothing", {}, { op: "remove", path: "/a" }, 'there is nothing at "/a"'],
    [
      "a replacement of nothing",
      { a: [1] },
      { op: "replace", path: "/a/1", value: 1 },
      'there is nothing at "/a/1"',
    ],
    [
      "what every object inherits",
      {},
      { op: "copy", from: "/toString", path: "/a" },
      'there is nothing at "/toString"',
    ],
    [
      "an array's own length",
      { a: [1] },
      { op: "replace", path: "/a/length", value: 0 },
      'there is nothing at "/a/length"',
    ],
    [
      "a member of nothing",
      {},
      { op: "add", path: "/a/b", value: 1 },
      'nothing can be added at "/a/b"',
    ],
    [
      "a member of a text",
      { a: "text" },
      { op: "add", path: "/a/b", value: 1 },
      'nothing can be added at "/a/b"',
    ],
    [
      "an element beyond the end",
      { a: [1] },
      { op: "add", path: "/a/2", value: 1 },
      'nothing can be added at "/a/2"',
    ],
    [
      "an index with a leading zero",
      { a: [1, 2] },
      { op: "add", path: "/a/01", value: 1 },
      'nothing can be added at "/a/01"',
    ],
    [
      "an index that would overflow",
      { a: [1] },
      { op: "add", path: "/a/4294967296", value: 1 },
      'nothing can be added at "/a/4294967296"',
    ],
    [
      "a removal behind the end",
      { a: [1] },
      { op: "remove", path: "/a/-" },
      'there is nothing at "/a/-"',
    ],
    [
      "a move into itself",
      { a: { b: {} } },
      { op: "move", from: "/a", path: "/a/b/c" },
      '"/a" cannot move into itself',
    ],
    [
      "a move behind the end of its own array",
      { a: [1] },
      { op: "move", from: "/a/0", path: "/a/1" },
      'nothing can be added at "/a/1"',
    ],
    ["a move of nothing", {}, { op: "move", from: "/a", path: "/b" }, 'there is nothing at "/a"'],
  ])("refuses %s", (_, state, operation, detail) => {
    const before = { op: "add", path: "/kept", value: 1 } as const;

    expect(patched(state, before, operation)).toEqual(["state_conflict", 1, detail]);
  });

  it("changes neither the state nor itself, also where a later operation changes what an earlier one put in", () => {
    const value = { list: [1] };
    const after = patched(
      { kept: { deep: true } },
      { op: "add", path: "/a", value },
      { op: "add", path: "/a/list/-", value: 2 },
      { op: "copy", from: "/a", path: "/b" },
      { op: "remove", path: "/b/list/0" },
      { op: "remove", path: "/kept/deep" },
    );

    expect(after).toEqual({ kept: {}, a: { list: [1, 2] }, b: { list: [2] } });
    expect(value).toEqual({ list: [1] });
  });

  it("may be of tests alone, and read members whose names are an object's methods", () => {
    const state = { hasOwnProperty: 1, toString: { valueOf: 2 } };

    expect(patched(state, { op: "test", path: "", value: state })).toEqual(state);
  });
});

describe("a state", () => {
  it.each<[string, unknown]>([
    ["a list", []],
    ["a text", "text"],
    ["null", null],
  ])("is no %s", (_, value) => {
    expect(patched({}, { op: "replace", path: "", value })).toEqual([
      "state_invalid",
      null,
      "a state is an object",
    ]);
  });

  it("is not removed whole", () => {
    expect(patched({}, { op: "remove", path: "" })).toEqual([
      "state_invalid",
      null,
      "a state is an object",
    ]);
  });

  it("takes up to its limit in bytes, not characters, and no more", () => {
    const full = sized(MAX_SHARED_STATE_BYTES);

    expect(patched({}, { op: "replace", path: "", value: full })).toEqual(full);
    for (const value of [
      sized(MAX_SHARED_STATE_BYTES + 1),
      { text: "é".repeat(MAX_SHARED_STATE_BYTES / 2) },
    ]) {
      expect(patched({}, { op: "replace", path: "", value })).toEqual([
        "state_invalid",
        null,
        `a state may take ${MAX_SHARED_STATE_BYTES} bytes as JSON at most`,
      ]);
    }
  });

  it("has 64 levels at most, by adding, copying and moving alike", () => {
    const tooDeep = ["state_invalid", null, "a state may have 64 levels at most"];
    const half = { a: nested(40), b: nested(40) };
    const bottom = "/a".repeat(41);

    expect(patched({}, { op: "add", path: "/a", value: nested(63) })).toEqual({ a: nested(63) });
    expect(patched({}, { op: "add", path: "/a", value: nested(64) })).toEqual(tooDeep);
    expect(
      patched(
        half,
        { op: "replace", path: bottom, value: {} },
        { op: "copy", from: "/b", path: `${bottom}/b` },
      ),
    ).toEqual(tooDeep);
    expect(
      patched(
        half,
        { op: "replace", path: bottom, value: {} },
        { op: "move", from: "/b", path: `${bottom}/b` },
      ),
    ).toEqual(tooDeep);
  });

  it("may move a whole state to and fro, and through places that are too deep for it", () => {
    const rows = Array.from({ length: 20_000 }, () => []);
    const fro = Array.from({ length: MAX_PATCH_OPERATIONS }, (_, index): PatchOperation => {
      return { op: "move", from: `/rows_${index}`, path: `/rows_${index + 1}` };
    });
    const half = { a: nested(40), b: nested(40) };
    const bottom = "/a".repeat(40);
    const emptied: PatchOperation = { op: "replace", path: bottom, value: {} };

    expect(patched({ rows_0: rows }, ...fro)).toEqual({ [`rows_${MAX_PATCH_OPERATIONS}`]: rows });
    expect(
      patched(
        half,
        emptied,
        { op: "move", from: "/b", path: `${bottom}/b` },
        { op: "move", from: `${bottom}/b`, path: "/b" },
      ),
    ).toEqual(patched(half, emptied));
  });

  it("does not double with each copy of itself", () => {
    const doubling = Array.from({ length: MAX_PATCH_OPERATIONS }, (_, index): PatchOperation => {
      return { op: "copy", from: "", path: `/copy_${index}` };
    });

    expect(patched({ text: "x".repeat(1_000) }, ...doubling)).toEqual([
      "state_invalid",
      6,
      `a state may take ${MAX_SHARED_STATE_BYTES} bytes as JSON at most`,
    ]);
  });

  it("fits the schema that it is given after the change, whatever it was before", () => {
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const set = (value: unknown) => applyPatch({}, [{ op: "add", path: "/n", value }], schema);

    expect(set(1)).toEqual({ ok: true, state: { n: 1 } });
    expect(set("1")).toEqual({
      ok: false,
      code: "state_invalid",
      operation: null,
      detail:
        "the state that it would become does not fit the agent's schema: #/n has to be of type integer, and is of type string",
    });
  });
});

describe("the form of a patch", () => {
  const op = "add";
  it.each<[string, unknown]>([
    ["nothing", []],
    ["no list", { op, path: "", value: {} }],
    ["another operation", [{ op: "increment", path: "/a", value: 1 }]],
    ["an operation without its value", [{ op, path: "/a" }]],
    ["a move without its source", [{ op: "move", path: "/a" }]],
    ["a pointer without its slash", [{ op, path: "a", value: 1 }]],
    ["a pointer with a bare ~", [{ op, path: "/a~2", value: 1 }]],
    ["__proto__ in a pointer", [{ op, path: "/__proto__/a", value: 1 }]],
    ["constructor in a pointer", [{ op, path: "/constructor/prototype/a", value: 1 }]],
    ["prototype in a source", [{ op: "copy", from: "/prototype", path: "/a" }]],
    ["__proto__ in a value", JSON.parse('[{"op":"add","path":"/a","value":[{"__proto__":{}}]}]')],
    ["constructor in a value", [{ op, path: "/a", value: { b: { constructor: 1 } } }]],
    ["too many operations", Array(MAX_PATCH_OPERATIONS + 1).fill({ op: "remove", path: "/a" })],
    ["too many bytes", [{ op, path: "/a", value: "x".repeat(MAX_PATCH_BYTES) }]],
  ])("has no place for %s", (_, patch) => {
    expect(JsonPatchSchema.safeParse(patch).success).toBe(false);
  });

  it("keeps a value of null or false, and forgets members that the operation does not have", () => {
    expect(
      JsonPatchSchema.parse([
        { op: "add", path: "/a", value: null, from: "/b" },
        { op: "test", path: "/a", value: false },
        { op: "remove", path: "", value: 1 },
      ]),
    ).toEqual([
      { op: "add", path: "/a", value: null },
      { op: "test", path: "/a", value: false },
      { op: "remove", path: "" },
    ]);
  });
});
