// Servers that do not know `server/discover`, and say so in odd ways.
import type { ServerResponse } from "node:http";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";

import { linkTo } from "../../support/mcp/link-to.ts";
import { startRawServer, writeJson } from "../../support/mcp/raw-server.ts";

afterEach(() => void vi.useRealTimers());

const status =
  (code: number, type = "text/plain", body = "") =>
  (response: ServerResponse): void => {
    response.writeHead(code, { "content-type": type }).end(body);
  };
const METHODS = ["server/discover", "initialize", "notifications/initialized", "tools/list"];

it.each([
  ["500 as text", "github/copilot-cli#4809", status(500, "text/plain", "unknown method")],
  [
    "500 as an error",
    "github/copilot-cli#4809",
    status(
      500,
      "application/json",
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"x"}}',
    ),
  ],
  ["501", "modelcontextprotocol/csharp-sdk#1765", status(501)],
  ["502 of the proxy in front of it", "variant", status(502, "text/html", "<h1>Bad Gateway</h1>")],
  ["a reset", "variant", (response: ServerResponse) => void response.destroy()],
  [
    "a closed stream",
    "variant",
    (response: ServerResponse) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": hello\n\n");
      response.destroy();
    },
  ],
  ["a stream without an answer", "variant", status(200, "text/event-stream", ": hello\n\n")],
  ["202", "variant", status(202)],
  ["204", "variant", (response: ServerResponse) => void response.writeHead(204).end()],
  [
    "null as the result",
    "variant",
    status(200, "application/json", '{"jsonrpc":"2.0","id":1,"result":null}'),
  ],
])(
  "%s (%s) is followed by initialize, and the server has its tools",
  async (_what, _source, answer) => {
    const mcp = await startRawServer({
      "server/discover": (_message, response) => {
        answer(response);
        return undefined;
      },
    });
    onTestFinished(() => mcp.stop());

    expect(await linkTo(mcp.url).list()).toMatchObject({
      ok: true,
      value: { tools: [{ name: "act" }] },
    });
    expect(mcp.methods).toEqual(METHODS);
  },
);

it.each([
  ["silence", (_response: ServerResponse) => undefined],
  [
    "a stream that says nothing",
    (response: ServerResponse) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": hello\n\n");
      return undefined;
    },
  ],
])("%s of three seconds is followed by initialize", async (_what, answer) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const mcp = await startRawServer({
    "server/discover": (_message, response) => {
      answer(response);
      resolve();
      return undefined;
    },
  });
  onTestFinished(() => mcp.stop());
  const listing = linkTo(mcp.url).list();
  await asked;
  await vi.advanceTimersByTimeAsync(2_999);
  const before = [...mcp.methods];
  await vi.advanceTimersByTimeAsync(1);

  expect(await listing).toMatchObject({ ok: true, value: { tools: [{ name: "act" }] } });
  expect(before).toEqual(["server/discover"]);
  expect(mcp.methods).toEqual(METHODS);
});

it("a server of the newer era that was only slow to start is asked once more", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let isAwake = false;
  const mcp = await startRawServer({
    "server/discover": () => {
      resolve();
      const found = { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };
      return isAwake ? found : undefined;
    },
    initialize: ({ id }, response) => {
      writeJson(response, { id, error: { code: -32_601, message: "Method not found" } });
      return undefined;
    },
  });
  onTestFinished(() => mcp.stop());
  const listing = linkTo(mcp.url).list();
  await asked;
  isAwake = true;
  await vi.advanceTimersByTimeAsync(3_000);

  expect(await listing).toMatchObject({ ok: true, value: { dialect: { era: "modern" } } });
  expect(mcp.methods).toEqual(["server/discover", "initialize", "server/discover", "tools/list"]);
});

it("a server that is silent to everything has the time of the whole list, and no more", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const mcp = await startRawServer({
    "server/discover": () => void resolve(),
    initialize: () => void begin(),
  });
  onTestFinished(() => mcp.stop());
  const listing = linkTo(mcp.url, { totalMs: 10_000 }).list();
  await asked;
  await vi.advanceTimersByTimeAsync(3_000);
  await begun;
  await vi.advanceTimersByTimeAsync(7_000);

  expect(await listing).toMatchObject({
    ok: false,
    failure: { kind: "timeout", reason: "The MCP server wh did not answer within 10000 ms." },
  });
  expect(mcp.methods).toEqual(["server/discover", "initialize"]);
});

it.each([401, 403, 429, 503, 307])("%i is taken for what it says", async (code) => {
  const mcp = await startRawServer({
    "server/discover": (_message, response) => {
      response.writeHead(code, { location: "/elsewhere" }).end();
      return undefined;
    },
  });
  onTestFinished(() => mcp.stop());

  expect(await linkTo(mcp.url).list()).toMatchObject({ ok: false, failure: { http_status: code } });
  expect(mcp.methods).toEqual(["server/discover"]);
});

it("a server that never answers a notification is asked all the same", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const mcp = await startRawServer({ "notifications/initialized": () => void resolve() });
  onTestFinished(() => mcp.stop());
  const listing = linkTo(mcp.url).list();
  await told;
  await vi.advanceTimersByTimeAsync(2_000);

  expect(await listing).toMatchObject({ ok: true });
});
