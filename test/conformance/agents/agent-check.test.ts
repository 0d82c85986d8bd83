// A check of an agent, through the door: real servers that answer, refuse, hang, flood and redirect.
import { describe, expect, inject, onTestFinished, test } from "vitest";

import type { AgentCheck } from "../../../protocol/agents/agent-check.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { startFakeOpenAi, says, type FakeTurn } from "../../support/fake-openai.ts";
import { startLoopbackServer, type LoopbackHandler } from "../../support/loopback-server.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";

async function startModel(...turns: FakeTurn[]) {
  const server = await startFakeOpenAi(...turns);
  onTestFinished(() => server.stop());
  return server;
}

async function startTool(handler: LoopbackHandler) {
  const asked: { method: string; path: string; authorization: unknown }[] = [];
  const server = await startLoopbackServer((received, response) => {
    const { method, path, headers } = received;
    asked.push({ method, path, authorization: headers["authorization"] });
    return handler(received, response);
  });
  onTestFinished(() => server.stop());
  return { url: server.url, asked };
}

async function check(key: string, agent: object, body: object = {}) {
  const id = await createAgent(key, { tools: [], ...agent });
  return request<AgentCheck>("POST", `/v1/agents/${id}/check`, { key, body });
}

async function credential(key: string, type: string, secret: string, host: string) {
  const body = { name: "C", type, secret, allowed_hosts: [host] };
  return (await request<{ id: string }>("POST", "/v1/credentials", { key, body })).body.id;
}

describe("a check of the models", () => {
  test("asks each for one token, with its credential, and says which answered", async () => {
    const good = await startModel(says("OK"));
    const bad = await startModel((stream) =>
      stream.fail(401, "wrong key sesame-4711-open", {}, "invalid_api_key"),
    );
    const { key } = await createTenant();
    const id = await credential(key, "model", "sesame-4711-open", new URL(bad.baseUrl).host);
    const model = { provider: "openai", name: "good", base_url: good.baseUrl };
    const fallback_models = [
      { provider: "openai", name: "bad", base_url: bad.baseUrl, credential_id: id },
      { provider: "scripted", name: "refund-desk" },
    ];

    const compression_model = { ...model, name: "writer" };
    const context = { compression_model };
    const { status, body } = await check(key, { model, fallback_models, context });

    expect([status, body.ok]).toEqual([200, false]);
    expect(body).toMatchObject({
      compression_model: { name: "writer", status: "ok", note: "The model answered." },
      version: 1,
      model: { name: "good", status: "ok", kind: null, note: "The model answered.", hint: null },
      fallbacks: [
        {
          name: "bad",
          status: "failed",
          credential_id: id,
          http_status: 401,
          kind: "credential_refused",
          code: "invalid_api_key",
          message: "wrong key [redacted]",
          hint: expect.stringContaining(id),
        },
        { name: "refund-desk", status: "ok", host: null },
      ],
      tools: [],
    });
    const asked = good.requests.map((one) => one.body as { readonly model: string });
    expect(asked.toSorted((one, other) => one.model.localeCompare(other.model))).toMatchObject([
      { model: "good", max_tokens: 1, stream: true },
      { model: "writer", max_tokens: 1, stream: true },
    ]);
    expect(bad.requests[0]?.headers["authorization"]).toBe("Bearer sesame-4711-open");
    expect(body.tokens).toBeGreaterThan(0);
    const limits = await request<{ used: Record<string, number> }>("GET", "/v1/limits", { key });
    expect(limits.body.used).toMatchObject({ tokens_per_day: body.tokens, running_replies: 0 });
  });

  test("asks again in newer words when the model does not know max_tokens", async () => {
    const server = await startModel(
      (stream) => stream.fail(400, "Unsupported parameter: 'max_tokens'", {}, "unsupported"),
      says("OK"),
    );
    const { key } = await createTenant();

    const { body } = await check(key, {
      model: { provider: "openai", name: "m", base_url: server.baseUrl },
    });

    expect(body.ok).toBe(true);
    expect(server.requests.map((asked) => asked.body)).toMatchObject([
      { max_tokens: 1 },
      { max_completion_tokens: 1 },
    ]);
  });

  test("ends by itself when models hang, flood or lie", BROAD, async () => {
    const hanging = await startModel(() => new Promise(() => undefined));
    const flooding = await startModel((stream) => stream.flood(": noise\n\n".repeat(5_000)));
    const lying = await startModel((stream) => stream.answer("{}", "application/json"));
    const { key } = await createTenant();
    const [model, ...fallback_models] = [hanging, flooding, lying].map(({ baseUrl }, index) => ({
      provider: "openai",
      name: `m${index}`,
      base_url: baseUrl,
      // Of the one that hangs: a slow machine would take the others for it.
      ...(index === 0 && { stall_ms: 300 }),
    }));

    const { status, body } = await check(key, { model, fallback_models });

    expect([status, body.ok]).toEqual([200, false]);
    expect([body.model, ...body.fallbacks].map(({ status: found, kind }) => [found, kind])).toEqual(
      [
        ["failed", "timeout"],
        ["failed", expect.stringMatching(/too_large|timeout|stalled/)],
        ["failed", "malformed_answer"],
      ],
    );
  });
});

describe("a check of the tools", () => {
  for (const [rows, breadth] of sampled(
    [
      [204, "ok", null],
      [404, "ok", null],
      [405, "ok", null],
      [501, "ok", null],
      [401, "warning", "credential_refused"],
      [403, "warning", "permission_refused"],
      [500, "warning", "provider_error"],
      [302, "failed", "redirect"],
    ] as const,
    3,
  ))
    test.each(rows)("takes %i to OPTIONS for %s", breadth, async (answered, status, kind) => {
      const tool = await startTool((_, response) => {
        response.writeHead(answered, { location: "http://127.0.0.1:1/" }).end();
      });
      const { key } = await createTenant();
      const id = await credential(key, "tool", "tool-secret-1", new URL(tool.url).host);
      const tools = [{ type: "http", name: "look", url: `${tool.url}/look`, credential_id: id }];

      const { body } = await check(key, { tools });

      expect(body.tools).toMatchObject([
        { name: "look", type: "http", method: "OPTIONS", status, http_status: answered, kind },
      ]);
      expect(body.ok).toBe(status !== "failed");
      expect(tool.asked).toEqual([
        { method: "OPTIONS", path: "/look", authorization: "Bearer tool-secret-1" },
      ]);
      expect(JSON.stringify(body)).not.toContain("tool-secret-1");
    });

  test("sends GET to a check_url, and runs nothing", async () => {
    const tool = await startTool(({ path }, response) => {
      response.writeHead(path === "/health" ? 200 : 500).end("fine");
    });
    const { key } = await createTenant();
    const url = `${tool.url}/look`;
    const tools = [
      { type: "http", name: "a", url, check_url: `${tool.url}/health` },
      { type: "http", name: "b", url, check_url: `${tool.url}/broken` },
      { type: "external", name: "c" },
    ];

    const { body } = await check(key, { tools });

    expect(body.ok).toBe(false);
    expect(body.tools).toMatchObject([
      { name: "a", method: "GET", status: "ok", http_status: 200 },
      { name: "b", method: "GET", status: "failed", http_status: 500, kind: "provider_error" },
      { name: "c", type: "external", method: null, status: "ok", host: null },
    ]);
    expect(tool.asked.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      "GET /broken",
      "GET /health",
    ]);
  });

  test("sends no secret to a host that it is not bound to, and says so", async () => {
    const tool = await startTool((_, response) => void response.end());
    const { key } = await createTenant();
    const id = await credential(key, "tool", "tool-secret-2", new URL(tool.url).host);
    const other = await startTool((_, response) => void response.end());
    const tools = [
      {
        type: "http",
        name: "look",
        url: `${tool.url}/look`,
        check_url: `${other.url}/health`,
        credential_id: id,
      },
    ];

    const { body } = await check(key, { tools });

    expect(body.tools).toMatchObject([{ status: "failed", kind: "setup" }]);
    expect(body.tools[0]?.note).toContain("may not be sent to");
    expect(other.asked).toEqual([]);
  });

  test("refuses a check_url that no call could reach, when it is written", async () => {
    const { key } = await createTenant();
    const tool = { type: "http", name: "look", url: "https://shop.example/look" };
    const answers = [];
    for (const check_url of ["https://10.0.0.1/", "ftp://shop.example/", "not an address"]) {
      const body = { name: "A", tools: [{ ...tool, check_url }] };
      const answer = await request<{ errors: { pointer: string }[] }>("POST", "/v1/agents", {
        key,
        body,
      });
      answers.push([answer.status, answer.body.errors[0]?.pointer]);
    }

    expect(answers).toEqual(Array.from({ length: 3 }, () => [400, "#/tools/0/check_url"]));
  });

  test("says of a server that is not there that it cannot be reached", async () => {
    const gone = await startLoopbackServer(() => undefined);
    await gone.stop();
    const { key } = await createTenant();

    const { body } = await check(key, {
      tools: [{ type: "http", name: "look", url: `${gone.url}/look` }],
    });

    expect(body.tools).toMatchObject([
      { status: "failed", kind: "unreachable", http_status: null, hint: expect.any(String) },
    ]);
  });
});

describe("a check", () => {
  test("is of a version, of the tenant's own agents, for keys that may write agents", async () => {
    const { key } = await createTenant();
    const other = await createTenant();
    const id = await createAgent(key, { tools: [] });
    await request("PATCH", `/v1/agents/${id}`, { key, body: { system_prompt: "New." } });
    const path = `/v1/agents/${id}/check`;
    const limited = await request<{ api_key: string }>("POST", "/v1/api-keys", {
      key: inject("operatorKey"),
      body: { tenant_id: other.id, scopes: ["agents:read"] },
    });
    const ask = (as: string, body: unknown) => request<AgentCheck>("POST", path, { key: as, body });

    const answers = [
      await ask(key, {}),
      await ask(key, { version: 1 }),
      await ask(key, { version: 3 }),
      await ask(key, { version: 0 }),
      await ask(key, { run: true }),
      await ask(other.key, {}),
      await ask(limited.body.api_key, {}),
    ];

    expect(answers.map(({ status, body }) => [status, body.version])).toEqual([
      [200, 2],
      [200, 1],
      [404, undefined],
      [400, undefined],
      [400, undefined],
      [404, undefined],
      [403, undefined],
    ]);
  });
});
