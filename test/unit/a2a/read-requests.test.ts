// Requests of A2A: members that are taken, and those that are refused.
import { describe, expect, test } from "vitest";

import { canonicalJson } from "../../../protocol/a2a/canonical-json.ts";
import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import { toBlock } from "../../../protocol/a2a/read-message.ts";
import {
  GetTaskRequestSchema,
  ListTasksRequestSchema,
  SendRequestSchema,
} from "../../../protocol/a2a/read-requests.ts";
import { readRpc } from "../../../protocol/a2a/read-rpc.ts";

const message = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "Hello" }] };

function refusalsOf(request: unknown): readonly string[] {
  const read = SendRequestSchema.safeParse(request);
  return read.success ? [] : read.error.issues.map(({ path }) => path.join("."));
}

describe("A message", () => {
  test("is taken with what ProtoJSON sends for nothing, and with members that are not known", () => {
    const read = SendRequestSchema.parse({
      tenant: "",
      message: {
        ...message,
        contextId: "",
        taskId: null,
        extensions: null,
        metadata: null,
        kind: "x",
      },
      configuration: null,
      metadata: null,
    });

    expect([read.message.contextId, read.message.taskId, read.configuration]).toEqual([
      undefined,
      undefined,
      {},
    ]);
  });

  test("may have its numbers as text and its role as a number", () => {
    const read = SendRequestSchema.parse({
      message: { ...message, role: 1 },
      configuration: { historyLength: "3", returnImmediately: true },
    });

    expect([read.message.role, read.configuration]).toEqual([
      "ROLE_USER",
      { historyLength: 3, returnImmediately: true },
    ]);
  });

  test.each([
    [{}, "message"],
    [{ message: { ...message, messageId: "" } }, "message.messageId"],
    [{ message: { ...message, messageId: "x".repeat(129) } }, "message.messageId"],
    [{ message: { ...message, messageId: "x".repeat(257) } }, "message.messageId"],
    [{ message: { ...message, messageId: "\ud800" } }, "message.messageId"],
    [{ message: { ...message, role: "ROLE_AGENT" } }, "message.role"],
    [{ message: { ...message, parts: [] } }, "message.parts"],
    [{ message: { ...message, parts: [{}] } }, "message.parts.0"],
    [{ message: { ...message, parts: [{ text: "a", data: 1 }] } }, "message.parts.0"],
    [{ message: { ...message, parts: [{ raw: "%" }] } }, "message.parts.0.raw"],
    [{ message, tenant: "shop" }, "tenant"],
    [{ message, configuration: { historyLength: -1 } }, "configuration.historyLength"],
    [{ message, configuration: { historyLength: 1.5 } }, "configuration.historyLength"],
  ])("%j is refused at %s", (request, place) => {
    expect(refusalsOf(request)).toEqual([place]);
  });

  test("has blocks for its parts, and JSON is told as text", () => {
    const { parts } = SendRequestSchema.parse({
      message: {
        ...message,
        parts: [
          { text: "Look:", data: null },
          { data: null },
          { data: { order: 1 } },
          { raw: "aGk=", mediaType: "image/png", filename: "a.png" },
          { url: "https://a.example/b.pdf", mediaType: "application/pdf" },
        ],
      },
    }).message;

    expect(parts.map(toBlock)).toEqual([
      { type: "text", text: "Look:" },
      { type: "text", text: "null" },
      { type: "text", text: '{"order":1}' },
      {
        type: "data",
        name: "a.png",
        source: { type: "base64", data: "aGk=", media_type: "image/png" },
      },
      {
        type: "data",
        source: {
          type: "url",
          url: "https://a.example/b.pdf",
          media_type: "application/pdf",
        },
      },
    ]);
  });
});

describe("A list", () => {
  test("of a query has the numbers, flags and times of its texts", () => {
    const read = ListTasksRequestSchema.parse({
      pageSize: "10",
      includeArtifacts: "true",
      status: "TASK_STATE_WORKING",
      statusTimestampAfter: "2026-11-21T10:30:00+01:00",
    });

    expect(read).toEqual({
      pageSize: 10,
      includeArtifacts: true,
      status: "TASK_STATE_WORKING",
      statusTimestampAfter: "2026-11-21T09:30:00.000Z",
    });
  });

  test.each(["UNRECOGNIZED", "TASK_STATE_UNSPECIFIED", "", 0, null, undefined])(
    "with the state %j has tasks of all states, 50 of them",
    (status) => {
      const read = ListTasksRequestSchema.parse({ status });

      expect([read.status, read.pageSize]).toEqual([undefined, 50]);
    },
  );

  test.each([
    { pageSize: 0 },
    { pageSize: 101 },
    { status: "TASK_STATE_RUNNING" },
    { statusTimestampAfter: "yesterday" },
  ])("%j is refused", (request) => {
    expect(ListTasksRequestSchema.safeParse(request).success).toBe(false);
  });
});

test("a task may be asked for by any text, but not by none", () => {
  const read = ["rep_1", "x".repeat(300), ""].map(
    (id) => GetTaskRequestSchema.safeParse({ id }).success,
  );

  expect(read).toEqual([true, true, false]);
});

test.each([
  [{ jsonrpc: "2.0", id: 1, method: "GetTask" }, "request"],
  [{ jsonrpc: "2.0", id: "a", method: "GetTask", params: null }, "request"],
  [{ jsonrpc: "2.0", method: "GetTask" }, "invalid"],
  [{ jsonrpc: "2.0", id: null, method: "GetTask" }, "invalid"],
  [{ jsonrpc: "2.0", id: 1, method: "GetTask", params: [] }, "invalid"],
  [{ jsonrpc: "1.0", id: 1, method: "GetTask" }, "invalid"],
  [[{ jsonrpc: "2.0", id: 1, method: "GetTask" }], "invalid"],
  ["GetTask", "invalid"],
])("%j is read as %s", (value, kind) => {
  expect(readRpc(value).kind).toBe(kind);
});

test("canonical JSON is that of RFC 8785", () => {
  const value = {
    "\u20ac": "Euro",
    b: [1, 1e21, -0, { z: undefined, a: '\u000f\n"' }],
    a: null,
    "\ud83d\ude00": true,
    [A2A_EXTENSION]: 1.5,
  };

  expect(canonicalJson(value)).toBe(
    `{"a":null,"b":[1,1e+21,0,{"a":"\\u000f\\n\\""}],"${A2A_EXTENSION}":1.5,"\u20ac":"Euro","\ud83d\ude00":true}`,
  );
});
