// Servers that know a session no longer, each in its own words. The call is made once more in a new session, and no call
// that may have been taken is.
import type { ServerResponse } from "node:http";
import { expect, it, onTestFinished } from "vitest";

import { linkTo } from "../../support/mcp/link-to.ts";
import { openStream, startRawServer, writeJson } from "../../support/mcp/raw-server.ts";

type Refusal = (response: ServerResponse, id: string | number | undefined) => void;

/** A server that begins with the session `s1`, and knows each session until it is told to forget them. */
async function startForgetful(refuse: Refusal, { forgets = 1 } = {}) {
  const sessions = new Set<string>();
  let given = 0;
  let refusals = 0;
  const ran: string[] = [];
  const mcp = await startRawServer({
    initialize: ({ id }, response) => {
      given += 1;
      sessions.add(`s${given}`);
      response.setHeader("mcp-session-id", `s${given}`);
      writeJson(response, {
        id,
        result: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "forgetful", version: "1" },
        },
      });
      return undefined;
    },
    "tools/call": ({ id }, response, { headers }) => {
      const session = String(headers["mcp-session-id"]);
      if (!sessions.has(session) || refusals < forgets - 1) {
        refusals += 1;
        refuse(response, id);
        return undefined;
      }
      ran.push(session);
      return { content: [{ type: "text", text: "found it" }] };
    },
  });
  onTestFinished(() => mcp.stop());
  return { mcp, ran, forget: () => sessions.clear() };
}

const status =
  (code: number, type: string, body: string): Refusal =>
  (response) => {
    response.writeHead(code, { "content-type": type }).end(body);
  };
const error =
  (code: number, message: string, data?: unknown): Refusal =>
  (response, id) => {
    writeJson(response, { id, error: { code, message, ...(data !== undefined && { data }) } });
  };
const errorAt =
  (http: number, code: number, message: string, id: unknown = null): Refusal =>
  (response) => {
    response.writeHead(http, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
  };
const streamed =
  (code: number, message: string): Refusal =>
  (response, id) => {
    openStream(response)({ id, error: { code, message } });
    response.end();
  };
const streamedWords: Refusal = (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end("event: error\ndata: Session not found\n\n");
};

it.each<readonly [string, string, Refusal]>([
  [
    "400 with an error, as the TypeScript SDK's examples",
    "DAWNCR0W/affine-mcp-server#301",
    errorAt(400, -32_000, "Bad Request: No valid session ID provided"),
  ],
  ["400 as text", "DAWNCR0W/affine-mcp-server#301", status(400, "text/plain", "Bad Request")],
  ["400 without a body", "variant", status(400, "text/plain", "")],
  [
    "400 with the id that the Python SDK gives",
    "variant",
    errorAt(400, -32_600, "Bad Request: No valid session ID provided", "server-error"),
  ],
  ["404 as text", "variant", status(404, "text/plain", "Not found")],
  ["404 with an error", "variant", errorAt(404, -32_001, "Session not found")],
  ["410", "variant", status(410, "text/html", "<h1>Gone</h1>")],
  [
    "401 that names the session, as rmcp",
    "variant",
    status(401, "text/plain", "Unauthorized: Session not found"),
  ],
  ["500 that names the session", "variant", status(500, "text/plain", "unknown session id s1")],
  [
    "500 with an error that names the session",
    "variant",
    errorAt(500, -32_603, "Session s1 does not exist"),
  ],
  ["200 with -32001 in words", "actionhero/keryx#503", error(-32_001, "Session not found")],
  ["200 with -32001 without words", "variant", error(-32_001, "")],
  ["200 with other words", "variant", error(-32_000, "Bad Request: Server not initialized")],
  ["200 with an expired session", "variant", error(-32_600, "The session has expired")],
  ["200 with a missing session", "variant", error(-32_600, "Missing Mcp-Session-Id header")],
  ["200 with words in data", "variant", error(-32_000, "Bad Request", "invalid session id")],
  [
    "200 with a code in data",
    "variant",
    error(-32_000, "Bad Request", { code: "SESSION_NOT_FOUND" }),
  ],
  ["a stream with an error", "actionhero/keryx#503", streamed(-32_001, "Session not found")],
  ["a stream with words alone", "variant", streamedWords],
  [
    "200 with JSON that is no message",
    "variant",
    status(200, "application/json", '{"error":"Session not found"}'),
  ],
  ["200 with text", "variant", status(200, "text/plain", "No active session")],
])(
  "%s (%s): a new session is opened once, and the call is made in it",
  async (_what, _source, refuse) => {
    const { mcp, ran, forget } = await startForgetful(refuse);
    const { act, memory } = linkTo(mcp.url);
    await act();
    forget();

    expect(await act()).toMatchObject({ ok: true, value: { content: [{ text: "found it" }] } });
    expect(await act()).toMatchObject({ ok: true });
    expect(ran).toEqual(["s1", "s2", "s2"]);
    expect(memory.sessionId).toBe("s2");
    expect(mcp.methods.filter((method) => method === "initialize")).toHaveLength(2);
  },
);

it("a session that was kept long ago, in words of any kind, is left for a new one", async () => {
  const { mcp, ran } = await startForgetful(status(400, "text/plain", "Bad Request"));
  const dialect = { era: "legacy", version: "2025-11-25" } as const;
  const { act, list, memory } = linkTo(mcp.url, { dialect, sessionId: "of-the-week-before" });

  expect(await act()).toMatchObject({ ok: true });
  expect(await list()).toMatchObject({ ok: true });
  expect([ran, memory.sessionId]).toEqual([["s1"], "s1"]);
  expect(mcp.methods).toEqual([
    "tools/call",
    "initialize",
    "notifications/initialized",
    "tools/call",
    "tools/list",
  ]);
});

it("a server that refuses the new session as well is not asked a third time, and its words are told", async () => {
  const refuse = errorAt(400, -32_000, "Bad Request: No valid session ID provided");
  const { mcp, ran } = await startForgetful(refuse, { forgets: 100 });
  const { act } = linkTo(mcp.url);

  expect(await act()).toMatchObject({
    ok: false,
    failure: { message: "Bad Request: No valid session ID provided" },
  });
  expect(ran).toEqual([]);
  expect(mcp.methods.filter((method) => method === "tools/call")).toHaveLength(2);
  expect(mcp.methods.filter((method) => method === "initialize")).toHaveLength(2);
});

it.each<readonly [string, Refusal]>([
  [
    "a result of the tool that tells of a session",
    (response, id) => {
      const content = [{ type: "text", text: "Session not found" }];
      writeJson(response, { id, result: { content, isError: true } });
    },
  ],
  ["an error of another thing", error(-32_603, "The order A-1 does not exist")],
  ["an error of another session", error(-32_603, "The database session was closed")],
  ["a session that is spoken of only", error(-32_000, "Your session has 3 orders")],
  ["-32001 for a timeout", error(-32_001, "Request timed out")],
  ["500 with other words", status(500, "text/plain", "Internal Server Error")],
  ["503", status(503, "text/plain", "")],
  ["422", status(422, "text/plain", "amount is missing")],
])("%s does not make the call twice", async (_what, refuse) => {
  const { mcp } = await startForgetful(refuse, { forgets: 100 });
  const { act } = linkTo(mcp.url);
  await act();

  expect(mcp.methods.filter((method) => method === "tools/call")).toHaveLength(1);
  expect(mcp.methods.filter((method) => method === "initialize")).toHaveLength(1);
});

it("without a session, no words make the call twice", async () => {
  const mcp = await startRawServer({
    "tools/call": ({ id }, response) => {
      writeJson(response, { id, error: { code: -32_001, message: "Session not found" } });
      return undefined;
    },
  });
  onTestFinished(() => mcp.stop());
  const { act } = linkTo(mcp.url);

  expect(await act()).toMatchObject({ ok: false, failure: { message: "Session not found" } });
  expect(mcp.methods.filter((method) => method === "tools/call")).toHaveLength(1);
});
