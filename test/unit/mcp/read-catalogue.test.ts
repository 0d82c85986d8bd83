// Reading of a server's list of tools.
import { expect, it } from "vitest";

import { countListed, readCatalogue } from "../../../agent/mcp/read-catalogue.ts";
import { countMissing, declareMcpTools, selectTools } from "../../../agent/mcp/select-tools.ts";
import { MAX_MCP_TOOLS } from "../../../protocol/mcp/limits.ts";

const tool = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: "object" },
  ...more,
});
const header = (name: string, type = "string") => ({
  inputSchema: { type: "object", properties: { a: { type, "x-mcp-header": name } } },
});

it("names, the first of each, in the server's order", () => {
  const listed = [tool("b"), tool("a"), tool("b", { description: "again" }), tool(""), null, "c"];

  expect(readCatalogue(listed, "modern").map(({ name }) => name)).toEqual(["b", "a"]);
});

it("as many as there is room for", () => {
  const many = Array.from({ length: MAX_MCP_TOOLS + 5 }, (_, index) => tool(`t${index}`));
  const large = Array.from({ length: 40 }, (_, index) =>
    tool(`t${index}`, { inputSchema: { type: "object", description: "x".repeat(60_000) } }),
  );

  expect(readCatalogue(many, "modern")).toHaveLength(MAX_MCP_TOOLS);
  expect(readCatalogue(large, "modern")).toHaveLength(18);
});

const named = { type: "object", properties: { b: { type: "string" } } };

it.each<[string, string, object, object]>([
  ["required: null", "anthropics/claude-code#44364", { ...named, required: null }, named],
  [
    "properties: null",
    "anthropics/claude-code#44364",
    { type: "object", properties: null },
    { type: "object" },
  ],
  [
    "keywords of a property that are null",
    "anthropics/claude-code#44364",
    {
      type: "object",
      properties: {
        b: {
          type: "string",
          enum: null,
          pattern: null,
          minLength: null,
          items: null,
          additionalProperties: null,
        },
      },
    },
    named,
  ],
  ["type: null", "variant", { ...named, type: null }, named],
  ["a type beside null", "variant", { ...named, type: ["object", "null"] }, named],
  [
    "$defs, additionalProperties and anyOf that are null",
    "variant",
    { ...named, $defs: null, additionalProperties: null, anyOf: null, title: null },
    named,
  ],
  [
    "null in a list of types, in items and in branches",
    "variant",
    {
      type: "object",
      properties: {
        b: { type: ["string", null] },
        c: { type: "array", items: { type: "string", format: null, minLength: null } },
        d: { anyOf: [{ type: "string", maxLength: null }, { type: "null" }], default: null },
        e: null,
      },
    },
    {
      type: "object",
      properties: {
        b: { type: ["string", "null"] },
        c: { type: "array", items: { type: "string" } },
        d: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
        e: {},
      },
    },
  ],
])("%s (%s) counts as left out", (_what, _source, inputSchema, input_schema) => {
  const listed = [tool("a", { inputSchema, outputSchema: inputSchema }), tool("z")];

  expect(readCatalogue(listed, "modern")).toMatchObject([
    { name: "a", input_schema, disabled_reason: null },
    { name: "z", disabled_reason: null },
  ]);
  expect(readCatalogue(listed, "modern")[0]?.input_schema).toEqual(input_schema);
});

it("a name that is too long takes its own tool away, and says so", () => {
  const long = "x".repeat(129);

  expect(readCatalogue([tool(long), tool("b")], "legacy")).toMatchObject([
    { name: `${"x".repeat(127)}…`, disabled_reason: "its name is longer than 128 characters" },
    { name: "b", disabled_reason: null },
  ]);
});

it.each([
  ["a description of null", { description: null, title: null }],
  ["annotations of null", { annotations: null, execution: null, _meta: null }],
  ["annotations of other types", { annotations: { readOnlyHint: "yes", idempotentHint: null } }],
  ["an output schema of null", { outputSchema: null, icons: null }],
])("%s takes nothing away", (_what, more) => {
  expect(readCatalogue([tool("a", more)], "legacy")).toMatchObject([
    { name: "a", description: "", annotations: {}, disabled_reason: null },
  ]);
});

it.each([
  [tool("a", { inputSchema: undefined }), "it has no input schema"],
  [tool("a", { inputSchema: { type: "string" } }), "its input schema is not that of an object"],
  [
    tool("a", { inputSchema: { type: "object", description: "x".repeat(70_000) } }),
    "its input schema is larger than 65536 bytes",
  ],
  [
    tool("a", { inputSchema: { type: "object", required: "b" } }),
    "its input schema cannot be used: #/required: give names",
  ],
  [tool("a", header("a b")), "its x-mcp-header is no header's name"],
  [
    tool("a", header("a", "number")),
    "its x-mcp-header is on a value that is no string, integer or boolean",
  ],
  [
    tool("a", {
      inputSchema: {
        type: "object",
        properties: { l: { type: "array", items: { type: "string", "x-mcp-header": "L" } } },
      },
    }),
    "its x-mcp-header is not on a property of the input",
  ],
])("a tool that cannot be used says why", (listed, reason) => {
  expect(readCatalogue([listed, tool("b")], "modern")).toMatchObject([
    { name: "a", disabled_reason: reason, input_schema: { type: "object" } },
    { name: "b", disabled_reason: null },
  ]);
});

it("a header for a parameter means nothing in the older era", () => {
  expect(readCatalogue([tool("a", header("a b"))], "legacy")).toMatchObject([
    { disabled_reason: null },
  ]);
});

it("an output schema that cannot be used is left out, and the tool is not", () => {
  const listed = [tool("a", { outputSchema: { type: "object", pattern: "(" } })];

  expect(readCatalogue(listed, "modern")).toEqual([
    {
      name: "a",
      description: "",
      input_schema: { type: "object" },
      annotations: {},
      disabled_reason: null,
    },
  ]);
});

it("annotations make a tool neither read-only nor, unless they are trusted, idempotent", () => {
  const annotations = { readOnlyHint: true, idempotentHint: true, destructiveHint: "no" };
  const tools = readCatalogue([tool("a", { annotations })], "modern");
  const pin = {
    server_id: "mcp_1",
    server: "wh",
    era: "modern",
    tools: selectTools({}, tools),
    problem: null,
    left_out: 0,
  } as const;
  const entry = { type: "mcp", server_id: "mcp_1" } as const;

  expect(tools[0]?.annotations).toEqual({ read_only: true, idempotent: true });
  expect(
    [entry, { ...entry, trust_annotations: true }].map((one) => {
      const [declared] = declareMcpTools(one, pin);
      return [declared?.read_only, declared?.idempotent];
    }),
  ).toEqual([
    [false, false],
    [false, true],
  ]);
});

const MANY = [...Array.from({ length: 300 }, (_, index) => tool(`t${index}`)), tool("t0"), null];
const ODD = [
  tool("a"),
  tool("b", { inputSchema: 7 }),
  tool("c", { inputSchema: { type: "array" } }),
];

it.each([
  ["all of a list", MANY, {}, false, { tooMany: 44, hasMore: false, unusable: 0 }],
  ["at least those that were read", MANY, {}, true, { tooMany: 44, hasMore: true, unusable: 0 }],
  [
    "the named ones alone",
    MANY,
    { enable: ["t1", "t270", "t271", "t272"], disable: ["t272"] },
    false,
    { tooMany: 2, hasMore: false, unusable: 0 },
  ],
  [
    "none that the server does not have",
    ODD,
    { enable: ["gone"] },
    false,
    { tooMany: 0, hasMore: false, unusable: 0 },
  ],
  ["unusable ones", ODD, {}, false, { tooMany: 0, hasMore: false, unusable: 2 }],
  [
    "unusable ones that are wanted",
    ODD,
    { disable: ["b"] },
    false,
    { tooMany: 0, hasMore: false, unusable: 1 },
  ],
] as const)("counts of the tools that are left out %s", (_, listed, entry, has_more, expected) => {
  const tools = readCatalogue(listed, "modern");
  const beyond = countListed(listed) - tools.length;
  const { enable, disable } = entry as { enable?: readonly string[]; disable?: readonly string[] };
  const wanted = {
    ...(enable && { enable: [...enable] }),
    ...(disable && { disable: [...disable] }),
  };

  expect(countMissing(wanted, tools, { beyond, has_more })).toEqual(expected);
});
