// Why a reply failed, through the door: real model servers and tool servers that refuse, break off, flood and stall.
import { describe, expect, onTestFinished, test } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import { BROAD } from "../../support/breadth.ts";
import { startFakeOpenAi, says, type FakeTurn } from "../../support/fake-openai.ts";
import { startLoopbackServer, type LoopbackHandler } from "../../support/loopback-server.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../../support/platform-client.ts";
import { diagnose, openChat, openChatAt, say, SECRET } from "./diagnosed-chat.ts";

describe("a model that refuses", () => {
  test.each([
    [401, "invalid_api_key", "credential_refused", "authentication", /credential crd_/],
    [403, "forbidden", "permission_refused", "permission", /may do there/],
    [404, "model_not_found", "not_found", "invalid_request", /base_url/],
    [400, "context_length_exceeded", "context_too_long", "invalid_request", /asks again.*shorten/],
    [400, "bad_parameter", "invalid_request", "invalid_request", /parameters/],
    [429, "insufficient_quota", "quota_spent", "permission", /billing/],
  ] as const)("with %i %s is named with what to do", async (status, code, kind, type, hint) => {
    const failed_try = {
      kind,
      http_status: status,
      code,
      message: "No.",
      request_id: "req_4711",
      error_type: type,
    };
    // Once more with a smaller context.
    const tries = kind === "context_too_long" ? 2 : 1;
    const chat = await openChat([
      (stream) => stream.fail(status, "No.", { "x-request-id": "req_4711" }, code),
    ]);

    const reply = await say(chat);
    const found = await diagnose(chat, reply.id);

    expect(reply.error?.type).toBe(type);
    expect(found).toMatchObject({
      reply_id: reply.id,
      session_id: chat.session,
      status: "error",
      agent_version: 1,
      error: reply.error,
      model_calls: [
        {
          number: 1,
          model: "gpt-fake",
          provider: "openai",
          credential_id: chat.credential,
          outcome: "failed",
          first_output_ms: null,
          tries,
          failed_tries: Array.from({ length: tries }, () => failed_try),
          usage: { input_tokens: 0, output_tokens: 0 },
          usage_estimated: false,
        },
      ],
      tool_calls: [],
    });
    expect(found.summary).toMatch(
      new RegExp(`^The model endpoint .* answered ${status} \\(${code}\\)`),
    );
    expect(found.summary).toContain("version 1 of the agent");
    expect(found.hint).toMatch(hint);
  });

  test(
    "again and again is shown with each try, and the reply's error says no more than before",
    BROAD,
    async () => {
      const chat = await openChat([
        (stream) => stream.fail(503, "overloaded", { "retry-after-ms": "1" }),
      ]);

      const reply = await say(chat);
      const { model_calls } = await diagnose(chat, reply.id);

      expect(reply.error).toEqual({
        type: "upstream",
        message: "The model provider failed to answer properly.",
      });
      expect(model_calls).toMatchObject([{ tries: 4, outcome: "failed" }]);
      expect(
        model_calls[0]?.failed_tries.map(({ kind, http_status }) => [kind, http_status]),
      ).toEqual(Array.from({ length: 4 }, () => ["provider_error", 503]));
    },
  );

  test("once and then answers leaves the failed try beside the answer", BROAD, async () => {
    const chat = await openChat([
      (stream) => stream.fail(429, "slow down", { "retry-after-ms": "1" }),
      says("Hello."),
    ]);

    const reply = await say(chat);
    const found = await diagnose(chat, reply.id);

    expect(reply.status).toBe("completed");
    expect(found).toMatchObject({
      summary: "The reply is complete.",
      hint: null,
      model_calls: [
        {
          outcome: "completed",
          tries: 2,
          failed_tries: [{ kind: "rate_limited", http_status: 429 }],
          finish_reason: "stop",
          usage: { input_tokens: 10, output_tokens: 1 },
          usage_estimated: false,
        },
      ],
    });
    expect(found.model_calls[0]?.first_output_ms).toEqual(expect.any(Number));
  });
});

describe("a model that answers badly", () => {
  test.each([
    ["no JSON", "malformed_answer", (stream) => stream.answer("<html>Hi</html>", "text/html")],
    [
      "an error in its stream",
      "provider_error",
      (stream) => {
        stream.event({ error: { message: "the engine is gone", code: "engine_lost" } });
        stream.end();
      },
    ],
    [
      "nothing",
      "empty_answer",
      (stream) => {
        stream.finish();
        stream.done();
      },
    ],
    [
      "a cut stream",
      "connection_lost",
      async (stream) => {
        stream.text("Hel");
        await stream.cut();
      },
    ],
    ["silence", "stalled", (stream) => stream.raw(": wait\n\n")],
  ] as const satisfies readonly (readonly [string, string, FakeTurn])[])(
    "with %s is %s",
    async (_, kind, turn) => {
      const server = await startFakeOpenAi(turn);
      onTestFinished(() => server.stop());
      // Only silence is measured by time; a slow machine would take the others for it.
      const stall = kind === "stalled" ? { stall_ms: 1_000 } : {};
      const model = { provider: "openai", name: "m", base_url: server.baseUrl, ...stall };
      const { key } = await createTenant();
      const session = await createSession(key, await createAgent(key, { model, tools: [] }));
      const chat = { key, session, credential: "" };

      const path = `/v1/sessions/${session}/replies`;
      const body = { input: "Hello", background: true };
      const { id } = (await request<Reply>("POST", path, { key, body })).body;

      // While the call is made again, the tries so far are shown.
      await expect
        .poll(async () => {
          const { model_calls } = await diagnose(chat, id);
          return model_calls.flatMap(({ failed_tries }) => failed_tries.map((tried) => tried.kind));
        })
        .toContain(kind);
      expect(["running", "error"]).toContain((await diagnose(chat, id)).status);
    },
  );

  test("which nobody listens for is unreachable", BROAD, async () => {
    const server = await startFakeOpenAi();
    await server.stop();
    const chat = await openChatAt(server.baseUrl);
    const path = `/v1/sessions/${chat.session}/replies`;
    const body = { input: "Hello", background: true };
    const { id } = (await request<Reply>("POST", path, { key: chat.key, body })).body;

    await expect
      .poll(async () => (await diagnose(chat, id)).model_calls[0]?.failed_tries[0])
      .toMatchObject({ kind: "unreachable", http_status: null, error_type: "connection" });
  });
});

describe("what a provider says about a failure", () => {
  test("is shown without the credential, tokens, queries and control characters, and is cut", async () => {
    const message = [
      `Incorrect API key provided: ${SECRET}.`,
      "Authorization: Bearer abc.def.ghi",
      "see https://user:pw@provider.example/keys?key=12345&x=1",
      "\u001b[31mred\u001b[0m\r\nnext line\u202e",
      "sk-proj-abcdefghijkl",
      "x".repeat(10_000_000),
    ].join(" ");
    const chat = await openChat([
      (stream) => stream.fail(401, message, { "x-request-id": `${SECRET}-7` }, `code-${SECRET}`),
    ]);

    const reply = await say(chat);
    const found = await diagnose(chat, reply.id);
    const text = JSON.stringify(found);

    const failed = found.model_calls[0]?.failed_tries[0];
    expect(failed?.message?.length ?? 0).toBeLessThanOrEqual(500);
    for (const secret of [SECRET, "abc.def", "12345", "user:pw", "abcdefghijkl"]) {
      expect(text).not.toContain(secret);
    }
    // oxlint-disable-next-line no-control-regex
    expect(failed?.message ?? "").not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  });

  test("is in no event, no message and no stream", BROAD, async () => {
    const chat = await openChat([(stream) => stream.fail(401, "the words of the provider")]);
    const response = await openRequest("POST", `/v1/sessions/${chat.session}/replies`, {
      key: chat.key,
      body: { input: "Hello", stream: true },
    });
    const frames = await readSse(response);

    expect(frames.map(({ event }) => event)).toContain("REPLY_END");
    expect(frames.map(({ data }) => data).join("\n")).not.toMatch(
      /words of the provider|credential_refused|\b401\b/,
    );
  });
});

describe("a tool", () => {
  async function callTool(handler: LoopbackHandler, tool: object = {}) {
    const server = await startLoopbackServer(handler);
    onTestFinished(() => server.stop());
    const { key } = await createTenant();
    const definition = {
      type: "http",
      name: "look",
      url: `${server.url}/look?secret=1`,
      read_only: true,
    };
    const agent = await createAgent(key, { tools: [{ ...definition, ...tool }] });
    const chat = { key, credential: "", session: await createSession(key, agent) };
    const reply = await say(chat, "/call look {}\n/say done");
    return { reply, found: await diagnose(chat, reply.id) };
  }

  test.each([
    [401, "credential_refused"],
    [404, "not_found"],
    [500, "provider_error"],
    [302, "redirect"],
  ] as const)("that answers %i is shown with its status as %s", async (status, kind) => {
    const { reply, found } = await callTool((_, response) => {
      response.writeHead(status, { location: "/elsewhere" }).end("no");
    });

    expect(found).toMatchObject({
      status: "completed",
      summary: "The reply is complete; one of its tool calls failed.",
      tool_calls: [
        {
          number: 1,
          name: "look",
          outcome: "error",
          http_status: status,
          failure: { kind, message: null, hint: expect.any(String) },
          waits: [],
        },
      ],
    });
    expect(found.model_calls.map(({ outcome }) => outcome)).toEqual(["completed", "completed"]);
    expect(found.tool_calls[0]?.duration_ms).toEqual(expect.any(Number));
    expect(reply.message?.content).toContainEqual(
      expect.objectContaining({ type: "tool_result", id: found.tool_calls[0]?.tool_call_id }),
    );
    expect(JSON.stringify(found)).not.toContain("secret=1");
  });

  test("that is too slow has a timeout, and one that answers has its status", BROAD, async () => {
    const slow = await callTool(() => new Promise(() => undefined), { timeout_ms: 50 });
    const well = await callTool((_, response) => void response.end("fine"));

    expect(slow.found.tool_calls).toMatchObject([
      { outcome: "error", http_status: null, failure: { kind: "timeout" } },
    ]);
    expect(well.found.tool_calls).toMatchObject([
      { outcome: "success", http_status: 200, failure: null },
    ]);
  });

  test("that a person has to allow is shown with the wait", async () => {
    const { key } = await createTenant();
    const tool = { type: "http", name: "look", url: "http://127.0.0.1:9/look" };
    const agent = await createAgent(key, { tools: [tool] });
    const chat = { key, credential: "", session: await createSession(key, agent) };
    const reply = await say(chat, "/call look {}\n/say done");

    expect(await diagnose(chat, reply.id)).toMatchObject({
      status: "awaiting_permission",
      summary: "The reply waits until a person has confirmed its calls.",
      tool_calls: [
        { name: "look", outcome: "waiting", waits: [{ kind: "permission", duration_ms: null }] },
      ],
    });

    const [pending] = reply.pending;
    const answered = await request("POST", `/v1/sessions/${chat.session}/events`, {
      key,
      body: {
        type: "USER_CONFIRM_RESULT",
        reply_id: reply.id,
        confirm_results: [{ confirmed: true, tool_call: { id: pending?.tool_call.id } }],
      },
    });
    expect(answered.status).toBe(202);
    await expect.poll(async () => (await diagnose(chat, reply.id)).status).toBe("completed");
    expect((await diagnose(chat, reply.id)).tool_calls).toMatchObject([
      {
        outcome: "error",
        failure: { kind: "unreachable" },
        waits: [{ kind: "permission", duration_ms: expect.any(Number) }],
      },
    ]);
  });
});

describe("diagnostics", () => {
  test("are for API keys alone, and of the tenant's own replies", BROAD, async () => {
    const chat = await openChat([says("Hello.")]);
    const reply = await say(chat);
    const path = `/v1/sessions/${chat.session}/replies/${reply.id}/diagnostics`;
    const other = await openChat([says("Hello.")]);
    const token = await request<{ token: string }>("POST", `/v1/sessions/${chat.session}/tokens`, {
      key: chat.key,
      body: { verbs: ["read"] },
    });

    const answers = [
      await request("GET", path, { key: token.body.token }),
      await request("GET", path, { key: other.key }),
      await request("GET", path.replace(chat.session, other.session), { key: other.key }),
      await request("GET", path.replace(reply.id, "rep_none"), { key: chat.key }),
      await request("GET", path, {}),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 404, 404, 404, 401]);
  });

  test("of a fork are its own: it has none of the replies before", BROAD, async () => {
    const chat = await openChat([says("Hello.")]);
    const reply = await say(chat);
    const fork = await request<{ id: string }>("POST", `/v1/sessions/${chat.session}/fork`, {
      key: chat.key,
      body: {},
    });
    const state = await request("GET", `/v1/sessions/${chat.session}/state`, { key: chat.key });

    const path = `/v1/sessions/${fork.body.id}/replies/${reply.id}/diagnostics`;
    expect((await request("GET", path, { key: chat.key })).status).toBe(404);
    expect(JSON.stringify(state.body)).not.toMatch(/first_output_ms|failed_tries/);
  });
});
