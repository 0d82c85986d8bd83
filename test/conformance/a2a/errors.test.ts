// Errors of A2A: which there are, and their form over either binding.
import { describe, expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import {
  A2A_BINDINGS,
  A2A_METHODS,
  callA2a,
  LABELLING,
  messageOf,
  openA2aDesk,
  sendA2a,
  type A2aDesk,
} from "../../support/a2a/a2a-desk.ts";
import { openRequest, request } from "../../support/platform-client.ts";

const ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";
const NOWHERE = "00000000-0000-4000-8000-000000000000";

/** Requests that are refused, with the reason of each and what it is in either binding. */
const REFUSED = [
  ["GetTask", { id: NOWHERE }, "TASK_NOT_FOUND", -32_001, 404, "NOT_FOUND"],
  ["CancelTask", { id: NOWHERE }, "TASK_NOT_FOUND", -32_001, 404, "NOT_FOUND"],
  ["SubscribeToTask", { id: NOWHERE }, "TASK_NOT_FOUND", -32_001, 404, "NOT_FOUND"],
  ["CancelTask", "ended", "TASK_NOT_CANCELABLE", -32_002, 400, "FAILED_PRECONDITION"],
  ["SubscribeToTask", "ended", "UNSUPPORTED_OPERATION", -32_004, 400, "FAILED_PRECONDITION"],
] as const;

/** Of one desk, which no test of them changes. */
let allRefused: ReturnType<typeof refuse> | undefined;
function refuseAll() {
  allRefused ??= openA2aDesk().then((desk) => refuse(desk));
  return allRefused;
}

async function refuse(desk: A2aDesk) {
  const ended = await sendA2a(desk, messageOf("/say Hello."));
  const refused = [];
  for (const [method, params, reason, code, status, grpc] of REFUSED) {
    const given = params === "ended" ? { id: ended.id } : params;
    const [rpc, rest] = await Promise.all(
      A2A_BINDINGS.map((binding) => callA2a(desk, binding, method, given)),
    );
    refused.push({ rpc: rpc!, rest: rest!, reason, code, status, grpc });
  }
  return refused;
}

/** One whose media type no agent takes. */
async function refuseMedia(desk: A2aDesk) {
  const parts = [{ raw: "aGVsbG8=", mediaType: "application/x-nobody-reads-this" }];
  const params = messageOf("", { parts });
  return Promise.all(A2A_BINDINGS.map((binding) => callA2a(desk, binding, "SendMessage", params)));
}

it("3.3.2-1: each failure has the error that A2A has for it", async () => {
  const refused = await refuseAll();

  expect(refused.map(({ rpc, rest }) => [rpc.error?.reason, rest.error?.reason])).toEqual(
    refused.map(({ reason }) => [reason, reason]),
  );
});

it("3.3.2-7: every error has a code and a message", async () => {
  const refused = await refuseAll();
  const errors = refused.flatMap(({ rpc, rest }) => [rpc.error, rest.error]);

  expect(errors).toMatchObject(
    errors.map(() => ({ code: expect.any(Number), message: expect.stringMatching(/\S/) })),
  );
});

it("3.3.2-8: every detail of an error has its type", BROAD, async () => {
  const desk = await openA2aDesk();
  const refused = await refuseAll();
  const invalid = await callA2a(desk, "JSONRPC", "SendMessage", { message: { parts: [] } });
  const errors = [...refused.flatMap(({ rpc, rest }) => [rpc.error, rest.error]), invalid.error];
  const types = errors.flatMap((error) => error?.details ?? []).map((detail) => detail["@type"]);

  expect(types.length).toBeGreaterThanOrEqual(errors.length);
  expect(types.filter((type) => !type.startsWith("type.googleapis.com/google.rpc."))).toEqual([]);
});

it("3.3.2-9: an error is one of JSON-RPC at 200, and google.rpc.Status at its status", async () => {
  const refused = await refuseAll();

  expect(refused.map(({ rpc, rest }) => [rpc.status, rest.status])).toEqual(
    refused.map(({ status }) => [200, status]),
  );
  expect(refused.map(({ rest }) => rest.headers.get("content-type"))).toEqual(
    refused.map(() => expect.stringMatching(/^application\/(a2a\+)?json/)),
  );
});

it("5.4-1: every error of A2A has its code in JSON-RPC, and its status in HTTP", async () => {
  const desk = await openA2aDesk();
  const refused = await refuseAll();
  const media = await refuseMedia(desk);
  const version = await Promise.all(
    A2A_BINDINGS.map((binding) =>
      callA2a(desk, binding, "ListTasks", {}, { headers: { "a2a-version": "0.3" } }),
    ),
  );

  expect(refused.map(({ rpc, rest }) => [rpc.error?.code, rest.error?.code])).toEqual(
    refused.map(({ code, status }) => [code, status]),
  );
  expect(media.map(({ status, error }) => [status, error?.code, error?.reason])).toEqual([
    [200, -32_005, "CONTENT_TYPE_NOT_SUPPORTED"],
    [400, 400, "CONTENT_TYPE_NOT_SUPPORTED"],
  ]);
  expect(version.map(({ status, error }) => [status, error?.code, error?.reason])).toEqual([
    [200, -32_009, "VERSION_NOT_SUPPORTED"],
    [400, 400, "VERSION_NOT_SUPPORTED"],
  ]);
});

it("9.5-1: each object in an error's data has its type", async () => {
  const { body } = await raw({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: NOWHERE } });

  expect(body).toEqual({
    jsonrpc: "2.0",
    id: 1,
    error: {
      code: -32_001,
      message: expect.any(String),
      data: [expect.objectContaining({ "@type": ERROR_INFO, reason: "TASK_NOT_FOUND" })],
    },
  });
});

it("11.6-1: each object in an error's details has its type", async () => {
  const { key, path } = await openA2aDesk();
  const headers = { "a2a-version": "1.0" };
  const { status, body } = await request("GET", `${path}/tasks/${NOWHERE}`, { key, headers });

  expect(status).toBe(404);
  expect(body).toEqual({
    error: {
      code: 404,
      status: "NOT_FOUND",
      message: expect.any(String),
      details: [expect.objectContaining({ "@type": ERROR_INFO, reason: "TASK_NOT_FOUND" })],
    },
  });
});

it("11.6-2: every error of A2A has ErrorInfo, with its reason and the protocol's domain", async () => {
  const refused = await refuseAll();
  const infos = refused.flatMap(({ rpc, rest, reason }) =>
    [rpc, rest].map(({ error }) => [
      reason,
      error?.details.filter((detail) => detail["@type"] === ERROR_INFO),
    ]),
  );

  expect(infos).toMatchObject(
    infos.map(([reason]) => [reason, [{ reason, domain: "a2a-protocol.org" }]]),
  );
});

it("5.1-3: both bindings refuse the same with the same reason and the same words", async () => {
  const refused = await refuseAll();

  expect(refused.map(({ rest }) => [rest.error?.reason, rest.error?.message])).toEqual(
    refused.map(({ rpc }) => [rpc.error?.reason, rpc.error?.message]),
  );
});

async function raw(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const { key, path } = await openA2aDesk();
  return request<{ id: unknown; error?: { code: number }; result?: unknown }>("POST", path, {
    key,
    body,
    headers: { "a2a-version": "1.0", ...headers },
  });
}

describe("JSON-RPC", () => {
  it("9.3-1: a request that is none of JSON-RPC 2.0 is refused as such", async () => {
    const { key, path } = await openA2aDesk();
    const headers = { "a2a-version": "1.0" };
    const codes = [];
    for (const body of [
      "{",
      "[]",
      "17",
      "null",
      { id: 1, method: "ListTasks" },
      { jsonrpc: "1.0", id: 1, method: "ListTasks" },
      { jsonrpc: "2.0", id: 1 },
      { jsonrpc: "2.0", id: {}, method: "ListTasks" },
      { jsonrpc: "2.0", id: 1, method: "tasks/list" },
      { jsonrpc: "2.0", id: 1, method: "ListTasks", params: [] },
    ]) {
      const answer = await request<{ id: unknown; error?: { code: number } }>("POST", path, {
        key,
        body,
        headers,
      });
      codes.push([answer.body.id, answer.body.error?.code]);
    }

    expect(codes).toEqual([
      [null, -32_700],
      [null, -32_600],
      [null, -32_600],
      [null, -32_600],
      [expect.toBeOneOf([1, null]), -32_600],
      [expect.toBeOneOf([1, null]), -32_600],
      [expect.toBeOneOf([1, null]), -32_600],
      [null, -32_600],
      [1, -32_601],
      [1, expect.toBeOneOf([-32_600, -32_602])],
    ]);
  });
});

/** Parameters that no method can do anything with. */
const WRONG: readonly (readonly [method: string, params: Readonly<Record<string, unknown>>])[] = [
  ["SendMessage", {}],
  ["SendMessage", { message: null }],
  ["SendMessage", { message: { role: "ROLE_USER", parts: [{ text: "Hi" }] } }],
  ["SendMessage", { message: { messageId: "m", role: "ROLE_USER" } }],
  ["SendMessage", { message: { messageId: "m", role: "ROLE_USER", parts: [] } }],
  ["SendMessage", { message: { messageId: "m", role: "ROLE_USER", parts: [{}] } }],
  ["SendMessage", { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: 17 }] } }],
  ["SendMessage", { message: { messageId: "m", role: "user", parts: [{ text: "Hi" }] } }],
  ["SendMessage", { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "Hi" }] } }],
  [
    "SendMessage",
    {
      message: { messageId: "m", role: "ROLE_USER", parts: [{ raw: "%", mediaType: "image/png" }] },
    },
  ],
  ["SendStreamingMessage", { message: { messageId: 17, role: "ROLE_USER", parts: "Hi" } }],
  ["ListTasks", { pageSize: "many" }],
  ["ListTasks", { status: "working" }],
];

it("3.3.2-5: wrong parameters are refused before anything is done", BROAD, async () => {
  const desk = await openA2aDesk();
  const refused = [];
  for (const [method, params] of WRONG) {
    for (const binding of A2A_BINDINGS) {
      const { status, error } = await callA2a(desk, binding, method, params);
      refused.push([method, binding, status, error?.code]);
    }
  }
  const sessions = await request<{ data: unknown[] }>("GET", "/v1/sessions", { key: desk.key });

  expect(refused).toEqual(
    WRONG.flatMap(([method]) => [
      [method, "JSONRPC", 200, -32_602],
      [method, "HTTP+JSON", 400, 400],
    ]),
  );
  expect(sessions.body.data).toEqual([]);
});

it("13.4-2: a message is checked whole before any part of it is used", async () => {
  const desk = await openA2aDesk();
  const asked = await sendA2a(desk, messageOf(LABELLING));
  const parts = [{ text: "/say Hello." }, { data: {} }, { text: "x", raw: "aGVsbG8=" }];
  const refused = await callA2a(
    desk,
    "JSONRPC",
    "SendMessage",
    messageOf("", { parts, taskId: asked.id }),
  );
  const task = await callA2a(desk, "JSONRPC", "GetTask", { id: asked.id });

  expect(refused.error?.code).toBe(-32_602);
  expect(task.result).toMatchObject({ history: asked.history ?? [], status: asked.status });
});

it(
  "14.1.1-2: content that does not fit the schema is refused, and members that it does not have are ignored",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const foreign = {
      "x-more": 1,
      message: { ...messageOf("/say Hi.").message, more: { a: [1] } },
    };
    const task = await sendA2a(desk, foreign, "HTTP+JSON");
    const both = messageOf("", { parts: [{ text: "Hi", url: "https://example.com/x.png" }] });
    const legacy = messageOf("", {
      parts: [{ kind: "file", file: { fileWithBytes: "aGVsbG8=" } }],
    });
    const refused = await Promise.all(
      [both, legacy].map((params) => callA2a(desk, "HTTP+JSON", "SendMessage", params)),
    );

    expect(task.status.state).toBe("TASK_STATE_COMPLETED");
    expect(refused.map(({ status }) => status)).toEqual([400, 400]);
  },
);

it("14.1.1-1: text is UTF-8 on both ways, and what is none is refused", BROAD, async () => {
  const desk = await openA2aDesk();
  const { artifacts } = await sendA2a(desk, messageOf("/say Größe 🙂 – 漢字"), "HTTP+JSON");
  const response = await openRequest("POST", desk.path, {
    key: desk.key,
    body: "\ufffe{",
    headers: { "a2a-version": "1.0" },
  });

  expect(artifacts?.[0]?.parts).toEqual([{ text: "Größe 🙂 – 漢字" }]);
  expect(await response.json()).toMatchObject({ error: { code: -32_700 } });
});

it("a tenant, which our cards do not have, is refused", BROAD, async () => {
  const desk = await openA2aDesk();
  const rpc = [];
  for (const method of A2A_METHODS) {
    const params = { ...messageOf("/say Hi."), tenant: "acme", id: NOWHERE, taskId: NOWHERE };
    rpc.push(
      (await callA2a(desk, "JSONRPC", method, { ...params, url: "https://a.example/" })).error
        ?.code,
    );
  }
  const rest = await request("GET", `${desk.path}/acme/tasks`, {
    key: desk.key,
    headers: { "a2a-version": "1.0" },
  });

  expect(rpc).toEqual(rpc.map(() => -32_602));
  expect(rest.status).toBe(404);
});
