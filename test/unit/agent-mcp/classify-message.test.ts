// In which era a message of MCP is, and what is refused: body and headers have to agree, since proxies route by headers.
import { describe, expect, it } from "vitest";

import { MAX_MCP_ID_CHARACTERS } from "../../../protocol/agent-mcp/limits.ts";
import { classifyMessage, type McpHeaders } from "../../../protocol/agent-mcp/classify-message.ts";
import {
  isId,
  readMessage,
  RpcCode,
  rpcError,
  rpcResult,
  type RpcNotification,
  type RpcRequest,
} from "../../../protocol/agent-mcp/json-rpc.ts";
import { hasBatches, hasPrimingEvents, negotiate } from "../../../protocol/agent-mcp/versions.ts";

const NEW = "2026-07-28";
const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const NONE: McpHeaders = { version: undefined, method: undefined, name: undefined };
const META = { [VERSION]: NEW, [CAPABILITIES]: { elicitation: {} } };

function request(method: string, params: Record<string, unknown> = {}): RpcRequest {
  return { kind: "request", id: 7, method, params };
}

function notification(params: Record<string, unknown> = {}): RpcNotification {
  return { kind: "notification", method: "notifications/cancelled", params };
}

/** The code of the refusal, or the era. */
function codeOf(message: RpcRequest | RpcNotification, headers: Partial<McpHeaders>): unknown {
  const classified = classifyMessage(message, { ...NONE, ...headers });
  if (classified.ok) return classified.era;
  const { answer } = classified;
  return "error" in answer ? [answer.id, answer.error.code] : answer;
}

describe("a message that does not describe itself", () => {
  it.each([
    [undefined, "2025-03-26"],
    ["2025-03-26", "2025-03-26"],
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
  ])("under the header %s speaks %s", (version, spoken) => {
    expect(codeOf(request("tools/list"), { version })).toEqual({
      era: "handshake",
      version: spoken,
    });
    expect(codeOf(notification(), { version })).toEqual({ era: "handshake", version: spoken });
  });

  it("negotiates with initialize, whatever the header says of the older era", () => {
    for (const version of [undefined, "2025-06-18", "1999-01-01"]) {
      expect(codeOf(request("initialize"), { version })).toEqual({
        era: "handshake",
        version: "2025-11-25",
      });
    }
  });

  it("is refused under a version that nobody speaks, and told which ones are spoken", () => {
    expect(classifyMessage(request("tools/list"), { ...NONE, version: "2024-11-05" })).toEqual({
      ok: false,
      answer: {
        jsonrpc: "2.0",
        id: 7,
        error: {
          code: -32_000,
          message: `this version is not supported; these are: ${NEW}, 2025-11-25, 2025-06-18, 2025-03-26`,
          data: { supported: [NEW, "2025-11-25", "2025-06-18", "2025-03-26"] },
        },
      },
    });
    expect(codeOf(notification(), { version: "2024-11-05" })).toEqual([null, -32_000]);
  });

  it("is refused under a header of the newer era, unless it is a notification", () => {
    expect(classifyMessage(request("initialize"), { ...NONE, version: NEW })).toEqual({
      ok: false,
      answer: {
        jsonrpc: "2.0",
        id: 7,
        error: {
          code: -32_602,
          message: `the header names ${NEW}, whose requests have _meta["${VERSION}"]`,
          data: { envelope: { missing: [VERSION] } },
        },
      },
    });
    expect(codeOf(notification(), { version: NEW })).toEqual({
      era: "self_described",
      version: NEW,
      capabilities: {},
    });
  });

  it.each([null, "x", [{ [VERSION]: NEW }], 7])("is one whose _meta is %j", (_meta) => {
    expect(codeOf(request("tools/list", { _meta }), {})).toEqual({
      era: "handshake",
      version: "2025-03-26",
    });
  });
});

describe("a request that describes itself", () => {
  const call = (meta: object = META, more: object = { name: "ask_desk" }) =>
    request("tools/call", { _meta: meta, ...more });
  const headers = { version: NEW, method: "tools/call", name: "ask_desk" };
  const era = { era: "self_described", version: NEW, capabilities: { elicitation: {} } };

  it("is of its version, with the capabilities that it declares", () => {
    expect(codeOf(call(), headers)).toEqual(era);
    expect(
      codeOf(call(), { version: ` ${NEW} `, method: " tools/call ", name: " ask_desk " }),
    ).toEqual(era);
    expect(
      codeOf(request("tools/list", { _meta: META }), { version: NEW, method: "tools/list" }),
    ).toEqual(era);
  });

  it.each([
    ["no version", {}],
    ["another version", { ...headers, version: "2025-11-25" }],
    ["no method", { ...headers, method: undefined }],
    ["another method", { ...headers, method: "tools/list" }],
    ["no name", { ...headers, name: undefined }],
    ["another name", { ...headers, name: "stop_desk" }],
  ])("is refused when its headers have %s", (_, given) => {
    expect(codeOf(call(), given)).toEqual([7, RpcCode.header_mismatch]);
  });

  it("is named by a header in base64 where that is needed", () => {
    const name = "ask_ü";
    const encoded = `=?base64?${Buffer.from(name).toString("base64")}?=`;

    expect(codeOf(call(META, { name }), { ...headers, name: encoded })).toEqual(era);
    expect(codeOf(call(META, { name }), { ...headers, name })).toEqual([
      7,
      RpcCode.header_mismatch,
    ]);
  });

  it("needs no name in a header where its body has none", () => {
    for (const name of [undefined, 7]) {
      expect(codeOf(call(META, { name }), { ...headers, name: undefined })).toEqual(era);
    }
  });

  it.each([
    ["a version that is no text", { ...META, [VERSION]: 7 }],
    ["no capabilities", { [VERSION]: NEW }],
    ["capabilities that are a list", { ...META, [CAPABILITIES]: [] }],
  ])("is refused with %s", (_, meta) => {
    expect(codeOf(call(meta), headers)).toEqual([7, RpcCode.invalid_params]);
  });

  it("is refused in a version that nobody speaks, behind what its headers get wrong", () => {
    const meta = { ...META, [VERSION]: "2027-01-01" };

    expect(classifyMessage(call(meta), { ...headers, version: "2027-01-01" })).toEqual({
      ok: false,
      answer: {
        jsonrpc: "2.0",
        id: 7,
        error: {
          code: -32_022,
          message: "this protocol version is not supported",
          data: { supported: [NEW], requested: "2027-01-01" },
        },
      },
    });
    expect(codeOf(call(meta), headers)).toEqual([7, RpcCode.header_mismatch]);
  });

  it("is a notification without capabilities and headers, too", () => {
    expect(codeOf(notification({ _meta: { [VERSION]: NEW } }), {})).toEqual({
      ...era,
      capabilities: {},
    });
    expect(codeOf(notification({ _meta: META }), {})).toEqual(era);
    expect(codeOf(notification({ _meta: { [VERSION]: 7 } }), {})).toEqual([
      null,
      RpcCode.invalid_params,
    ]);
  });
});

describe("a message of JSON-RPC", () => {
  const longest = "x".repeat(MAX_MCP_ID_CHARACTERS);

  it.each([
    [
      { id: 0, method: "m" },
      { kind: "request", id: 0, method: "m", params: {} },
    ],
    [
      { id: "", method: "m", params: { a: 1 } },
      { kind: "request", id: "", method: "m", params: { a: 1 } },
    ],
    [{ method: "m" }, { kind: "notification", method: "m", params: {} }],
    [{ id: 1, result: {} }, { kind: "response" }],
    [{ id: 1, error: {} }, { kind: "response" }],
    [
      { id: 1, method: "m", result: {} },
      { kind: "request", id: 1, method: "m", params: {} },
    ],
    [{ id: 1 }, { kind: "invalid", id: 1, problem: "a message has a method" }],
    [
      { id: 1, method: 7 },
      { kind: "invalid", id: 1, problem: "a message has a method" },
    ],
    [
      { id: 1, method: 7, result: {} },
      { kind: "invalid", id: 1, problem: "a message has a method" },
    ],
    [
      { id: 1, method: "m", params: [] },
      { kind: "invalid", id: 1, problem: "params are an object" },
    ],
    [
      { id: 1, method: "m", params: null },
      { kind: "invalid", id: 1, problem: "params are an object" },
    ],
    [
      { id: null, method: "m" },
      { kind: "invalid", id: null, problem: "an id is a short text or a whole number" },
    ],
    [
      { id: 1.5, method: "m" },
      { kind: "invalid", id: null, problem: "an id is a short text or a whole number" },
    ],
  ])("%j is read as %j", (message, read) => {
    expect(readMessage({ jsonrpc: "2.0", ...message })).toEqual(read);
  });

  it.each([null, undefined, "x", 7, []])("is not %j", (value) => {
    expect(readMessage(value)).toEqual({
      kind: "invalid",
      id: null,
      problem: "a message is a JSON object",
    });
  });

  it.each([undefined, "1.0", 2])("has its version, not %j", (jsonrpc) => {
    expect(readMessage({ jsonrpc, id: 1, method: "m" })).toEqual({
      kind: "invalid",
      id: 1,
      problem: 'a message has "jsonrpc": "2.0"',
    });
  });

  it("has an id of bounded length", () => {
    expect([longest, `${longest}x`, 2 ** 53, -1, true, {}].map(isId)).toEqual([
      true,
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  it("is answered with a result, or with an error whose data may be left out", () => {
    expect([rpcResult(1, { a: 1 }), rpcError(null, "parse_error", "no", 0)]).toStrictEqual([
      { jsonrpc: "2.0", id: 1, result: { a: 1 } },
      { jsonrpc: "2.0", id: null, error: { code: -32_700, message: "no", data: 0 } },
    ]);
    expect(rpcError(1, "internal_error", "no")).toStrictEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32_603, message: "no" },
    });
  });
});

it("a version is negotiated, and has what it has", () => {
  const versions = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;

  expect([...versions, NEW, undefined].map(negotiate)).toEqual([
    ...versions,
    versions[0],
    versions[0],
  ]);
  expect(versions.map(hasBatches)).toEqual([false, false, true]);
  expect(versions.map(hasPrimingEvents)).toEqual([true, false, false]);
});
