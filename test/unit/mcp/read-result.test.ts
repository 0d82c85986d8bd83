// Reading of a result of `tools/call`.
import { expect, it } from "vitest";

import { readMcpResult } from "../../../agent/mcp/read-result.ts";

const text = (said: string) => ({ type: "text", text: said });
const NUMBER = { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] };

it.each([
  ["a result without content", {}],
  ["content that is no list", { content: "text" }],
])("%s is none", (_what, result: Readonly<Record<string, unknown>>) => {
  expect(readMcpResult(result, undefined)).toBe(null);
});

it.each([
  [
    [{ type: "image", data: "AA==", mimeType: "image/png" }],
    [{ type: "data", source: { type: "base64", media_type: "image/png", data: "AA==" } }],
  ],
  // nota/gyazo-mcp-server#129
  ...["image/jpeg", "image/webp", "audio/mpeg", "image/png"].map((mimeType): [unknown, unknown] => [
    [{ type: "image", data: `data:${mimeType};base64,AAEC`, mimeType }],
    [{ type: "data", source: { type: "base64", media_type: mimeType, data: "AAEC" } }],
  ]),
  [
    [{ type: "image", data: "_-\r\n8", mimeType: "image/png" }],
    [{ type: "data", source: { type: "base64", media_type: "image/png", data: "/+8=" } }],
  ],
  ...["...", "", "https://cdn.example/a.png", "AA*A="].map((data): [unknown, unknown] => [
    [{ type: "image", data, mimeType: "image/png" }],
    [text('[left out: "image/png" that cannot be read]')],
  ]),
  [
    [{ type: "image", data: "A", mimeType: "image/png" }],
    [text('[left out: "image/png" that cannot be read]')],
  ],
  [[{ type: "image", data: "AA==" }], [text('[left out: "unknown" that cannot be read]')]],
  [
    [{ type: "resource", resource: { uri: "a:b", blob: "AA==" } }],
    [
      {
        type: "data",
        source: { type: "base64", media_type: "application/octet-stream", data: "AA==" },
      },
    ],
  ],
  [[{ type: "resource", resource: { uri: "a:b" } }], []],
  [[{ type: "resource_link", uri: 'x"\n[fake]' }], [text('[resource link "x\\"\\n[fake]"]')]],
  [[{ type: "hologram" }], [text('[left out: content of type "hologram"]')]],
  [[7, null, { type: "text" }, text("a")], [text("a")]],
])("content %j becomes %j", (content, blocks) => {
  expect(readMcpResult({ content }, undefined)).toEqual({ state: "success", content: blocks });
});

it("structured content that fits what was declared is given, and any when nothing was", () => {
  const result = { content: [], structuredContent: { amount: 1 } };

  expect(readMcpResult(result, NUMBER)).toMatchObject({ structured: { amount: 1 } });
  expect(readMcpResult(result, undefined)).toMatchObject({ structured: { amount: 1 } });
});

it("structured content that lies is left out, and says so", () => {
  const read = readMcpResult({ content: [text("a")], structuredContent: { amount: "1" } }, NUMBER);

  expect(read).toEqual({
    state: "success",
    content: [text("a")],
    misfit: expect.stringContaining("does not fit its output schema"),
  });
});

it.each([
  ["null as content", { content: null }, []],
  ["null beside a text", { content: [text("a")], structuredContent: null }, [text("a")]],
  ["null for all but a text", { content: [text("a")], isError: null, _meta: null }, [text("a")]],
  [
    "null beside structured content",
    { content: null, structuredContent: { a: 1 } },
    [text('{"a":1}')],
  ],
])("%s counts as left out", (_what, result, content) => {
  expect(readMcpResult(result, undefined)).toMatchObject({ state: "success", content });
});

it("null in the place of structured content is no lie", () => {
  const result = { content: [text("a")], structuredContent: null };

  expect(readMcpResult(result, NUMBER)).toEqual({ state: "success", content: [text("a")] });
});

it("structured content without a text is its text", () => {
  expect(readMcpResult({ structuredContent: [1] }, undefined)).toEqual({
    state: "success",
    content: [text("[1]")],
    structured: [1],
  });
});

it("an error is one, with what is said beside it", () => {
  const result = { content: [text("no paper")], isError: true, _meta: { ui: { a: 1 } } };

  expect(readMcpResult(result, undefined)).toEqual({
    state: "error",
    content: [text("no paper")],
    meta: { ui: { a: 1 } },
  });
});
