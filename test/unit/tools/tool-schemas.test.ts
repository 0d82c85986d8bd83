// Schemas that tools may have, an agent's and those that a client brings.
import { describe, expect, it } from "vitest";

import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
import { RunAgentInputSchema } from "../../../protocol/ag-ui/contract.ts";

type Schema = Record<string, unknown>;

function issuesOfAgent(...schemas: readonly Schema[]): readonly unknown[] {
  const tools = schemas.map((input_schema, index) => {
    return { type: "external", name: `t${index}`, input_schema };
  });
  const { error } = AgentCreateSchema.safeParse({ name: "A", tools });
  return (error?.issues ?? []).map(({ path, message }) => [path.join("/"), message]);
}

function issuesOfClient(parameters: Schema): readonly unknown[] {
  const { error } = RunAgentInputSchema.safeParse({
    threadId: "t",
    runId: "r",
    messages: [],
    tools: [{ name: "t0" }, { name: "t1", parameters }],
  });
  return (error?.issues ?? []).map(({ path, message }) => [path.join("/"), message]);
}

describe("a tool's schema", () => {
  it.each<[string, Schema]>([
    ["names itself", { $id: "https://shop.example/a", $ref: "b", $anchor: "c", $dynamicRef: "#d" }],
    ["has its definitions anywhere", { $ref: "#/components/a", components: { a: {} } }],
    ["is of an older draft", { items: [{ minimum: 1, exclusiveMinimum: true }], definitions: {} }],
    ["asks much of one value", { anyOf: Array.from({ length: 1_200 }, () => ({ minLength: 1 })) }],
    ["has patterns that go back", { pattern: "^(a+)+$", patternProperties: { "^(x|x)*$": {} } }],
    [
      "looks ahead, as libraries do for addresses",
      { pattern: "^(?!\\.)(?!.*\\.\\.)[a-z.]+@[a-z.]+$" },
    ],
    ["knows letters", { properties: { name: { pattern: "^[\\p{L}\\p{M} '-]{1,2000}$" } } }],
  ])("may be one that %s", (_what, schema) => {
    expect([issuesOfAgent(schema), issuesOfClient(schema)]).toEqual([[], []]);
  });

  it.each<[string, Schema, string]>([
    [
      "look around too often",
      { properties: { a: { pattern: "(?=a)".repeat(17) } } },
      "looks ahead or behind more than 16 times",
    ],
    [
      "refer back",
      { patternProperties: { "(a)\\1": {} } },
      '#/patternProperties: "(a)\\\\1" refers back',
    ],
    ["are too long", { pattern: "a".repeat(9_000) }, "has more than 8192 characters"],
    [
      "are no patterns",
      { items: [{ pattern: "(" }] },
      '#/items/0/pattern: "(" is no regular expression',
    ],
  ])("may have no patterns that %s", (_what, schema, problem) => {
    const message = expect.stringContaining(problem) as string;

    expect(issuesOfAgent({}, schema)).toEqual([["tools/1/input_schema", message]]);
    expect(issuesOfClient(schema)).toEqual([["tools/1/parameters", message]]);
  });

  it.each<[string, Schema, string]>([
    ["never ends", { anyOf: [{ $ref: "#" }] }, "refers to itself for the same value"],
    ["is too large", { description: "x".repeat(65_536) }, "may take 65536 bytes as JSON at most"],
    [
      "nests too deep",
      JSON.parse('{"not":'.repeat(24) + "{}" + "}".repeat(24)) as Schema,
      "nested too deep",
    ],
    [
      "has long names within each other",
      { properties: { ["x".repeat(2_000)]: {} } },
      "give shorter names",
    ],
    [
      "has other values",
      { properties: { a: { required: true } } },
      "#/properties/a/required: give names",
    ],
  ])("may be none that %s", (_what, schema, problem) => {
    const message = expect.stringContaining(problem) as string;

    expect(issuesOfAgent(schema)).toEqual([["tools/0/input_schema", message]]);
  });

  it("is one of several that know a few properties of Unicode together", () => {
    const names = [
      "L",
      "Lu",
      "Ll",
      "N",
      "Nd",
      "P",
      "S",
      "Z",
      "M",
      "C",
      "Lm",
      "Lo",
      "Lt",
      "Mc",
      "Me",
      "Mn",
    ];
    const schemas = [...names, ...names.map((name) => `gc=${name}`), "sc=Greek"].map((name) => ({
      pattern: `\\p{${name}}`,
    }));

    expect(issuesOfAgent(...schemas.slice(0, 32))).toEqual([]);
    expect(issuesOfAgent(...schemas)).toEqual([
      ["tools/32/input_schema", expect.stringContaining("is no regular expression")],
    ]);
  });
});
