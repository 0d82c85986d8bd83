// Answers of MCP servers that are declared as something else than they are, or as nothing.
import type { ServerResponse } from "node:http";
import { expect, it, onTestFinished } from "vitest";

import { linkTo } from "../../support/mcp/link-to.ts";
import { startRawServer } from "../../support/mcp/raw-server.ts";

const asJson = (message: object): string => JSON.stringify(message);
const asEvents = (message: object): string =>
  `: hello\n\nevent: message\ndata: ${JSON.stringify(message)}\n\n`;

async function answerAll(type: string | null, write: (message: object) => string) {
  const answer = (result: object) => {
    return ({ id }: { id?: string | number }, response: ServerResponse) => {
      response.writeHead(200, type === null ? {} : { "content-type": type });
      response.end(write({ jsonrpc: "2.0", id, result }));
      return undefined;
    };
  };
  const mcp = await startRawServer({
    initialize: answer({ protocolVersion: "2025-06-18", capabilities: { tools: {} } }),
    "tools/list": answer({ tools: [{ name: "act", inputSchema: { type: "object" } }] }),
    "tools/call": answer({ content: [{ type: "text", text: "found it" }] }),
  });
  onTestFinished(() => mcp.stop());
  return mcp;
}

it.each([
  ["JSON without a type", "tadata-org/fastapi_mcp#262", null, asJson],
  ["JSON as text/plain", "tadata-org/fastapi_mcp#262", "text/plain; charset=utf-8", asJson],
  ["JSON as text/html, as PHP has it", "variant", "text/html; charset=UTF-8", asJson],
  ["JSON as application/octet-stream", "variant", "application/octet-stream", asJson],
  ["JSON as application/json-rpc", "variant", "application/json-rpc", asJson],
  ["JSON in capitals", "variant", "Application/JSON", asJson],
  [
    "JSON behind a byte order mark",
    "variant",
    "application/json",
    (it: object) => `\ufeff${asJson(it)}`,
  ],
  ["JSON between line ends", "variant", "text/plain", (it: object) => `\r\n${asJson(it)}\r\n`],
  ["events without a type", "variant", null, asEvents],
  ["events as text/plain", "variant", "text/plain", asEvents],
  ["events as JSON", "variant", "application/json", asEvents],
])("%s (%s) is read, and the tool runs once", async (_what, _source, type, write) => {
  const mcp = await answerAll(type, write);
  const { list, act } = linkTo(mcp.url);

  expect(await list()).toMatchObject({ ok: true, value: { tools: [{ name: "act" }] } });
  expect(await act()).toMatchObject({ ok: true, value: { content: [{ text: "found it" }] } });
  expect(mcp.methods.filter((method) => method === "tools/call")).toHaveLength(1);
});

it.each([
  ["a page", "text/html", "<h1>Sign in</h1>", "answered with text/html, which is no MCP"],
  ["nothing", null, "", "answered with no media type, which is no MCP"],
  ["half a message", "application/json", '{"jsonrpc":', "JSON that cannot be read"],
])("%s is no answer, and the tool is not called again", async (_what, type, body, reason) => {
  const mcp = await answerAll("application/json", asJson);
  mcp.on("tools/call", (_message, response) => {
    response.writeHead(200, type === null ? {} : { "content-type": type }).end(body);
    return undefined;
  });
  const { act } = linkTo(mcp.url);

  expect(await act()).toMatchObject({
    ok: false,
    failure: { kind: "malformed_answer", reason: expect.stringContaining(reason) as string },
  });
  expect(mcp.methods.filter((method) => method === "tools/call")).toHaveLength(1);
});
