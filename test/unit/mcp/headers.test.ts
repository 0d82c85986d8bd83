// Headers that repeat a part of the body, as servers of the modern era check them.
import { expect, it } from "vitest";

import { encodeHeaderValue } from "../../../protocol/mcp/header-values.ts";
import { findParamHeaders, paramHeaders } from "../../../protocol/mcp/param-headers.ts";
import { mcpRequest } from "../../../protocol/mcp/requests.ts";

it.each([
  ["find_order", "find_order"],
  ["a b", "a b"],
  ["", "=?base64??="],
  [" a", "=?base64?IGE=?="],
  ["ä", "=?base64?w6Q=?="],
  ["😀", "=?base64?8J+YgA==?="],
  ["\ud800", "=?base64?77+9?="],
  ["=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
])("%j is sent as %j", (value, sent) => {
  expect(encodeHeaderValue(value)).toBe(sent);
});

it("parameters that are declared at any depth are sent where the input has them", () => {
  const schema = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      order: {
        type: "object",
        properties: {
          id: { type: "integer", "x-mcp-header": "Order" },
          gift: { type: "boolean", "x-mcp-header": "Gift" },
        },
      },
    },
  };
  const found = findParamHeaders(schema);

  expect(found.ok && paramHeaders(found.headers, { region: "Köln", order: { id: 7 } })).toEqual({
    "mcp-param-region": "=?base64?S8O2bG4=?=",
    "mcp-param-order": "7",
  });
});

it.each([
  [
    "twice",
    {
      properties: {
        a: { type: "string", "x-mcp-header": "X" },
        b: { type: "string", "x-mcp-header": "x" },
      },
    },
  ],
  ["in a choice", { anyOf: [{ properties: { a: { type: "string", "x-mcp-header": "X" } } }] }],
  ["on the input itself", { type: "object", "x-mcp-header": "X" }],
  ["in a definition", { $defs: { a: { type: "string", "x-mcp-header": "X" } } }],
])("one that is declared %s makes the tool unusable", (_where, schema) => {
  expect(findParamHeaders(schema).ok).toBe(false);
});

it("an older server is told the version by a header, and nothing in the body", () => {
  const request = { method: "tools/list", name: "x" };

  expect(mcpRequest("1", request, { era: "legacy", version: "2025-06-18" })).toEqual({
    id: "1",
    body: { jsonrpc: "2.0", id: "1", method: "tools/list" },
    headers: { "mcp-protocol-version": "2025-06-18" },
  });
});
