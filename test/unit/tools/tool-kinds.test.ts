// The table of kinds of tools, and the definitions that it is about.
import { expect, it } from "vitest";

import { createSecretSource } from "../../../outgoing/secret-source.ts";
import { ToolSchema } from "../../../protocol/tools/contract.ts";
import { checkTool, providersOf, TOOL_KINDS } from "../../../tools/tool-kinds.ts";

const SOURCES = { codeTools: [], mcp: { pins: () => [] } };
const KINDS = ToolSchema.options.map(({ shape }) => shape.type.value);

it("each kind of definition has a provider, which offers nothing to an agent without tools", () => {
  expect(Object.keys(TOOL_KINDS)).toEqual(KINDS);
  expect(providersOf([], SOURCES).map(({ tools }) => tools)).toEqual(KINDS.map(() => []));
});

it("a check of a tool that nobody has to be asked about sends nothing", async () => {
  const access = {
    codeTools: [],
    outgoing: () => Promise.reject(new Error("nothing is sent")),
    secrets: createSecretSource(new Map()),
    openServer: () => Promise.resolve(null),
    findAgent: () => Promise.resolve(null),
  };
  const { signal: stop } = new AbortController();
  const external = ToolSchema.parse({ type: "external", name: "ask" });
  const code = ToolSchema.parse({ type: "code", name: "gone" });
  const mcp = ToolSchema.parse({ type: "mcp", server_id: "mcp_gone" });

  const found = [external, code, mcp].map((tool) => checkTool(tool, access, stop));

  expect((await Promise.all(found)).map(({ status, kind, host }) => [status, kind, host])).toEqual([
    ["ok", null, null],
    ["failed", "not_found", null],
    ["failed", "not_found", null],
  ]);
});
