// What of a server's list of tools is taken over.
import { expect, it } from "vitest";

import { readCatalogue } from "../../../../agent/mcp/read-catalogue.ts";
import { declareMcpTools, selectTools } from "../../../../agent/mcp/select-tools.ts";
import { MAX_MCP_TOOLS } from "../../../../protocol/limits/abilities/mcp.ts";

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
  expect(readCatalogue(large, "modern")).toHaveLength(16);
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
