// An agent as an MCP server, message by message: what JSON-RPC and the versions of MCP ask for, and what is refused.
import { describe, expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import {
  ASKING,
  callTool,
  openCall,
  openMcpDesk,
  send,
  type McpDesk,
  type RpcReply,
} from "../../support/mcp-desk.ts";
import { openRequest, request } from "../../support/platform-client.ts";

const desk = await openMcpDesk();

function ask<Result = object>(message: unknown, headers: Readonly<Record<string, string>> = {}) {
  return send<Result>(desk, desk.key, message, headers);
}

function rpc(method: string, params: object = {}, id: string | number = 1) {
  return { jsonrpc: "2.0", id, method, params };
}

const NEW = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": NEW,
  "io.modelcontextprotocol/clientCapabilities": {},
};
function newRpc(method: string, params: object = {}, meta: object = META) {
  return rpc(method, { ...params, _meta: meta });
}
function newHeaders(method: string, name?: string) {
  return {
    "mcp-protocol-version": NEW,
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": name }),
  };
}

describe("initialize", () => {
  it.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2025-11-25"],
    ["2026-07-28", "2025-11-25"],
    [17, "2025-11-25"],
  ])("of %s is answered with %s", async (protocolVersion, answered) => {
    const { status, body, headers } = await ask(rpc("initialize", { protocolVersion }));

    expect([status, body]).toEqual([
      200,
      {
        jsonrpc: "2.0",
        id: 1,
        result: {
          protocolVersion: answered,
          serverInfo: { name: "reprise", title: "Reprise", version: "1" },
          capabilities: { tools: {} },
          instructions: "Asks the agent Desk. A result's session_id continues its conversation.",
        },
      },
    ]);
    expect(headers.get("mcp-session-id")).toMatch(/^[\da-f-]{36}\.[\da-f]{64}$/);
  });
});

describe("messages of the older era", () => {
  it("ping is answered, and an unknown method is not known", async () => {
    const ping = await ask(rpc("ping", {}, "p"));
    const unknown = await ask(rpc("resources/list"));

    expect([ping.status, ping.body]).toEqual([200, { jsonrpc: "2.0", id: "p", result: {} }]);
    expect([unknown.status, unknown.body.error?.code]).toEqual([200, -32_601]);
  });

  it.each([
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
    [
      "a cancellation of nothing",
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } },
    ],
    ["an unknown notification", { jsonrpc: "2.0", method: "notifications/other" }],
    ["an answer to nothing", { jsonrpc: "2.0", id: 1, result: {} }],
  ])("%s is taken without an answer", async (_, message) => {
    const { status, body } = await ask(message);

    expect([status, body]).toEqual([202, null]);
  });

  it.each([
    ["a text", "hello", null],
    ["no version of JSON-RPC", { id: 1, method: "ping" }, 1],
    ["a method that is no text", { jsonrpc: "2.0", id: 1, method: 5 }, 1],
    ["params that are a list", { jsonrpc: "2.0", id: "x", method: "ping", params: [] }, "x"],
    ["an id that is null", { jsonrpc: "2.0", id: null, method: "ping" }, null],
    ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "ping" }, null],
    ["an id of half a number", { jsonrpc: "2.0", id: 1.5, method: "ping" }, null],
    ["an id that is too long", { jsonrpc: "2.0", id: "x".repeat(257), method: "ping" }, null],
  ])("%s is no message", async (_, message, id) => {
    const { status, body } = await ask(JSON.stringify(message));

    expect([status, body.id, body.error?.code]).toEqual([400, id, -32_600]);
  });

  it("what is no JSON, too deep, too large or of another type is a problem", async () => {
    const deep = `${"[".repeat(200)}${"]".repeat(200)}`;
    const refused = [
      await ask("{"),
      await ask(deep),
      await ask(JSON.stringify("x".repeat(1_100_000))),
      await ask("{}", { "content-type": "text/plain" }),
    ];

    expect(refused.map(({ status, body }) => [status, (body as never)["code"]])).toEqual([
      [400, "malformed_json"],
      [400, "input_too_deep"],
      [413, "body_too_large"],
      [415, "unsupported_media_type"],
    ]);
  });

  it("a version that is not known is refused, with those that are", async () => {
    const { status, body } = await ask(rpc("ping"), { "mcp-protocol-version": "2031-01-01" });

    expect([status, body.error?.code]).toEqual([400, -32_000]);
    expect(body.error?.data).toEqual({
      supported: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
    });
  });
});

describe("batches", () => {
  const batch = [rpc("ping", {}, 1), { jsonrpc: "2.0", method: "notifications/other" }, { id: 3 }];

  it("of 2025-03-26 are answered one by one", async () => {
    const { status, body } = await ask(batch);

    expect(status).toBe(200);
    expect(body).toMatchObject([
      { id: 1, result: {} },
      { id: 3, error: { code: -32_600 } },
    ]);
  });

  it("of calls are one stream", async () => {
    const call = (id: number, message: string) =>
      rpc("tools/call", { name: "ask_desk", arguments: { message } }, id);
    const response = await openRequest("POST", desk.path, {
      key: desk.key,
      body: [call(1, "/say One."), rpc("ping", {}, 2), call(3, "/say Three.")],
      headers: { accept: "text/event-stream" },
    });
    const text = await response.text();

    const ids = [...text.matchAll(/^data: (.+)$/gm)].map(
      ([, data = ""]) => (JSON.parse(data) as { id: number }).id,
    );
    expect(ids.toSorted((one, other) => one - other)).toEqual([1, 2, 3]);
  });

  it.each([
    ["that are empty", [], {}],
    ["of too many messages", Array.from({ length: 21 }, () => rpc("ping")), {}],
    ["of too many calls", Array.from({ length: 5 }, () => rpc("tools/call")), {}],
    ["of 2025-06-18", batch, { "mcp-protocol-version": "2025-06-18" }],
    ["of 2026-07-28", [newRpc("tools/list")], newHeaders("tools/list")],
  ])("%s are refused", async (_, messages, headers) => {
    const { status, body } = await ask<unknown>(messages, headers);

    const first = (Array.isArray(body) ? body[0] : body) as RpcReply<unknown>;
    expect([status, first.error?.code]).toEqual([400, -32_600]);
  });
});

describe("the era of 2026-07-28", () => {
  it("is discovered, and lists the tools with how long they may be kept", async () => {
    const found = await ask<{ supportedVersions: string[] }>(
      newRpc("server/discover"),
      newHeaders("server/discover"),
    );
    const listed = await ask(newRpc("tools/list"), newHeaders("tools/list"));

    expect(found.body.result).toMatchObject({
      resultType: "complete",
      supportedVersions: [NEW],
      capabilities: { tools: {} },
      ttlMs: 60_000,
      cacheScope: "private",
    });
    expect(listed.body.result).toMatchObject({
      resultType: "complete",
      ttlMs: 60_000,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "reprise" } },
    });
  });

  it.each(["ping", "initialize", "subscriptions/listen"])("has no %s", async (method) => {
    const { status, body } = await ask(newRpc(method), newHeaders(method));

    expect([status, body.error?.code]).toEqual([404, -32_601]);
  });

  it.each<[string, object, Record<string, string>, number]>([
    [
      "another version",
      newRpc(
        "tools/list",
        {},
        { ...META, "io.modelcontextprotocol/protocolVersion": "2027-01-01" },
      ),
      { "mcp-protocol-version": "2027-01-01", "mcp-method": "tools/list" },
      -32_022,
    ],
    [
      "a version that is no text",
      newRpc("tools/list", {}, { ...META, "io.modelcontextprotocol/protocolVersion": 1 }),
      newHeaders("tools/list"),
      -32_602,
    ],
    [
      "no capabilities",
      newRpc("tools/list", {}, { "io.modelcontextprotocol/protocolVersion": NEW }),
      newHeaders("tools/list"),
      -32_602,
    ],
    ["no _meta", rpc("tools/list"), newHeaders("tools/list"), -32_602],
    ["no header of the version", newRpc("tools/list"), { "mcp-method": "tools/list" }, -32_020],
    [
      "another version in the header",
      newRpc("tools/list"),
      { ...newHeaders("tools/list"), "mcp-protocol-version": "2025-11-25" },
      -32_020,
    ],
    [
      "a version that is not known, and another one in the header",
      newRpc(
        "tools/list",
        {},
        { ...META, "io.modelcontextprotocol/protocolVersion": "2027-01-01" },
      ),
      newHeaders("tools/list"),
      -32_020,
    ],
    [
      "another tool in the header, in its encoded form",
      newRpc("tools/call", { name: "ask_desk" }),
      newHeaders("tools/call", `=?base64?${btoa("stop_desk")}?=`),
      -32_020,
    ],
    [
      "an encoded form in the header that is none",
      newRpc("tools/call", { name: "ask_desk" }),
      newHeaders("tools/call", "=?base64?ask_desk"),
      -32_020,
    ],
    ["another method in the header", newRpc("tools/list"), newHeaders("tools/call"), -32_020],
    [
      "another tool in the header",
      newRpc("tools/call", { name: "ask_desk" }),
      newHeaders("tools/call", "stop_desk"),
      -32_020,
    ],
  ])("refuses %s", async (_, message, headers, code) => {
    const { status, body } = await ask(message, headers);

    expect([status, body.id, body.error?.code]).toEqual([400, 1, code]);
  });

  it("takes the tool's name in its encoded form", async () => {
    const name = `=?base64?${btoa("stop_desk")}?=`;
    const message = newRpc("tools/call", { name: "stop_desk" });
    const { status, body } = await ask(message, newHeaders("tools/call", name));

    expect([status, body.result]).toMatchObject([200, { isError: true }]);
  });

  it("takes no request state that it has not signed", async () => {
    const params = { name: "ask_desk", arguments: { message: "x" }, requestState: "ms_made.up.it" };
    const { body } = await ask(newRpc("tools/call", params), newHeaders("tools/call", "ask_desk"));

    expect(body.error?.code).toBe(-32_602);
  });
});

describe("calls", () => {
  it("of a tool that the agent has not are invalid", async () => {
    const { body } = await ask(rpc("tools/call", { name: "ask_other", arguments: {} }));

    expect(body.error?.code).toBe(-32_602);
  });

  it.each<[string, string, object]>([
    ["no message", "ask_desk", {}],
    ["an unknown argument", "ask_desk", { message: "x", mood: "good" }],
    ["no object", "resume_desk", []],
    ["both kinds of answer", "resume_desk", { session_id: "ses_x", answers: [{ call_id: "c" }] }],
    ["a session that is none", "ask_desk", { message: "x", session_id: "ses_none" }],
    ["a session of nobody", "stop_desk", { session_id: `ses_${"0".repeat(26)}` }],
  ])("with %s fail in a way that the model sees", async (_, name, args) => {
    const { isError, content, structuredContent } = await callTool(desk, name, args);

    expect([isError, structuredContent]).toEqual([true, undefined]);
    expect(content[0]?.text).toMatch(/^(?:validation_failed|not_found): /);
  });

  it("of a session of another agent find nothing", async () => {
    const other = await openMcpDesk();
    const foreign = await request<{ id: string }>("POST", "/v1/agents", {
      key: desk.key,
      body: { name: "Desk", model: { provider: "scripted", name: "refund-desk" } },
    });
    const { structuredContent } = await callTool(desk, "ask_desk", { message: "/say Hi." });
    const session_id = structuredContent!.session_id;

    const sameTenant = { path: `/v1/agents/${foreign.body.id}/mcp`, key: desk.key } as McpDesk;
    const answers = [
      await callTool(sameTenant, "ask_desk", { message: "x", session_id }),
      await callTool(other, "ask_desk", { message: "x", session_id }),
      await callTool(other, "resume_desk", { session_id }),
    ];
    const shut = await send(desk, other.key, rpc("ping"));

    expect(answers.map(({ content }) => content[0]?.text)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^not_found: /)),
    );
    expect(shut.status).toBe(404);
  });

  it("wait for people, and go on with their answers, once", BROAD, async () => {
    const { structuredContent, content } = await callTool(desk, "ask_desk", { message: ASKING });
    const { session_id, pending } = structuredContent!;
    const [{ call_id } = { call_id: "" }] = pending;
    const denial = { session_id, answers: [{ call_id, approved: false, reason: "No." }] };

    const done = await callTool(desk, "resume_desk", denial);
    const again = await callTool(desk, "resume_desk", denial);
    const otherwise = await callTool(desk, "resume_desk", {
      session_id,
      answers: [{ call_id, approved: true }],
    });

    expect(content.at(-1)?.text).toContain(`resume_desk, session_id ${session_id}`);
    expect(done.structuredContent?.status).toBe("completed");
    expect(again.structuredContent).toEqual(done.structuredContent);
    expect(otherwise.content[0]?.text).toMatch(/^(?:confirmation_used|call_not_pending): /);
  });

  it("with one key are one call, whose session is the same", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const first = await callTool(desk, "ask_desk", { message: "/say Once." }, desk.key, headers);
    const again = await callTool(desk, "ask_desk", { message: "/say Once." }, desk.key, headers);
    const other = await callTool(desk, "ask_desk", { message: "/say Twice." }, desk.key, headers);

    expect(again).toEqual(first);
    expect(other.content[0]?.text).toMatch(/^idempotency_key_reused: /);
  });

  it("meanwhile say that the session is busy, stop it, and wait for it", async () => {
    const response = await openCall(desk, { message: "/rate 20\n/words 4000" });
    const reader = response.body!.getReader();
    let text = "";
    while (!/id: (ses_\w+)\./.test(text)) {
      const { value } = await reader.read();
      text += new TextDecoder().decode(value);
    }
    const session = /id: (ses_\w+)\./.exec(text)?.[1] ?? "";
    await reader.cancel();

    const busy = await callTool(desk, "ask_desk", { message: "More", session_id: session });
    const stopped = await callTool(desk, "stop_desk", { session_id: session });
    const waited = await callTool(desk, "resume_desk", { session_id: session });

    expect(busy.content[0]?.text).toMatch(/^reply_running: /);
    expect(stopped.structuredContent?.status).toBe("interrupted");
    expect(waited.structuredContent?.status).toBe("interrupted");
  });
});
