// The names under which models know tools of MCP servers.
import fc from "fast-check";
import { expect, it } from "vitest";

import { mcpToolName } from "../../../agent/mcp/mcp-tool-name.ts";
import { McpServerNameSchema } from "../../../protocol/mcp/contract.ts";

it.each([
  ["wh", "find_order", "mcp__wh__find_order"],
  ["wh-2", "a__b", "mcp__wh-2__a__b"],
  ["wh", "x".repeat(55), `mcp__wh__${"x".repeat(55)}`],
])("of %s and %s it is plain", (server, tool, name) => {
  expect(mcpToolName(server, tool)).toBe(name);
});

it("fits what providers take, whatever the server calls its tool, and is the same each time", () => {
  const servers = fc.stringMatching(/^[a-z0-9]{1,24}$/);
  fc.assert(
    fc.property(
      servers,
      fc.string({ minLength: 1, maxLength: 128, unit: "binary" }),
      (server, tool) => {
        const name = mcpToolName(server, tool);

        expect(name).toMatch(/^mcp__[A-Za-z0-9_-]{1,59}$/);
        expect(name.startsWith(`mcp__${server}__`)).toBe(true);
        expect(mcpToolName(server, tool)).toBe(name);
      },
    ),
  );
});

it.each([
  ["find.order", "find_order"],
  ["find order", "find.order"],
  [`${"x".repeat(80)}1`, `${"x".repeat(80)}2`],
])("of %s is another one than of %s", (one, other) => {
  expect(mcpToolName("wh", one)).not.toBe(mcpToolName("wh", other));
});

it.each(["a__b", "_a", "a_", "-a", "a b", "", "x".repeat(25), "ä"])(
  "a server is not called %j: its tools' names would be ambiguous, or too long",
  (name) => {
    expect(McpServerNameSchema.safeParse(name).success).toBe(false);
  },
);
