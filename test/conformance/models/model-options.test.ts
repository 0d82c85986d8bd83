// Options of one reply's model calls: which model, with which parameters, and what may not be asked for.
import { describe, expect, onTestFinished, test } from "vitest";

import type { ClientToken } from "../../../protocol/client-tokens/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { startFakeAnthropic, tells } from "../../support/fake-anthropic.ts";
import { says, startFakeOpenAi } from "../../support/fake-openai.ts";
import { responds, startFakeResponses } from "../../support/fake-responses.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import { BROAD } from "../../support/breadth.ts";

const tool = { type: "external", name: "look_up" };

/** A session on an agent with one model of each wire, each a server of this test. */
async function openSession() {
  const [chat, anthropic, responses] = await Promise.all([
    startFakeOpenAi(says("chat")),
    startFakeAnthropic(tells("anthropic")),
    startFakeResponses(responds("responses")),
  ]);
  onTestFinished(async () => {
    await Promise.all([chat.stop(), anthropic.stop(), responses.stop()]);
  });
  const { key } = await createTenant();
  const agent = await createAgent(key, {
    model: { provider: "openai", name: "gpt-chat", base_url: chat.baseUrl },
    allowed_models: [
      { provider: "anthropic", name: "claude", base_url: anthropic.url },
      { provider: "openai", api: "responses", name: "gpt-responses", base_url: responses.baseUrl },
    ],
    tools: [tool],
  });
  const session = await createSession(key, agent);
  const bodyOf = (server: { requests: readonly { body: unknown }[] }) =>
    server.requests.at(-1)?.body as Record<string, unknown>;
  const say = (body: object) =>
    request<Reply>("POST", `/v1/sessions/${session}/replies`, { key, body });
  return { key, agent, session, say, chat, anthropic, responses, bodyOf };
}

describe("a reply", () => {
  test("is made by the model that it asks for, of any wire, and says so", async () => {
    const { key, session, say, chat, anthropic, responses, bodyOf } = await openSession();
    const parameters = { temperature: 0.5, max_tokens: 50 };
    const options = { parameters, reasoning_effort: "low", parallel_tool_calls: false };

    const first = await say({ input: "Hi", ...options });
    const second = await say({ input: "Hi", model: "claude", ...options });
    const third = await say({ input: "Hi", model: "gpt-responses", ...options });
    const fourth = await say({ input: "Hi" });

    expect([first, second, third, fourth].map(({ body }) => body.status)).toEqual(
      Array.from({ length: 4 }, () => "completed"),
    );
    expect(chat.requests[0]?.body).toMatchObject({
      model: "gpt-chat",
      temperature: 0.5,
      max_tokens: 50,
      reasoning_effort: "low",
      parallel_tool_calls: false,
    });
    expect(bodyOf(anthropic)).toMatchObject({
      model: "claude",
      temperature: 0.5,
      max_tokens: 50,
      output_config: { effort: "low" },
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
    });
    expect(bodyOf(responses)).toMatchObject({
      model: "gpt-responses",
      temperature: 0.5,
      max_output_tokens: 50,
      reasoning: { effort: "low" },
      parallel_tool_calls: false,
    });
    expect(Object.keys(bodyOf(chat))).not.toContain("temperature");
    expect(second.body.model_options).toEqual({ model: "claude", ...options });
    expect(fourth.body).not.toHaveProperty("model_options");
    const read = await request<Reply>("GET", `/v1/sessions/${session}/replies/${second.body.id}`, {
      key,
    });
    expect(read.body.model_options).toEqual({ model: "claude", ...options });
  });

  test("has to call what it is told to, once", BROAD, async () => {
    const { key, say, chat, bodyOf } = await openSession();
    const call = { index: 0, id: "call_1", name: "look_up", arguments: "{}" };
    const calling = await startFakeOpenAi((stream) => {
      stream.calls(call);
      stream.finish("tool_calls");
      stream.done();
    }, says("found"));
    onTestFinished(() => calling.stop());
    const agent = await createAgent(key, {
      model: { provider: "openai", name: "gpt-chat", base_url: calling.baseUrl },
      tools: [tool],
      permission: { mode: "bypass" },
    });
    const other = await createSession(key, agent);
    const body = { input: "Hi", tool_choice: { name: "look_up" } };

    const waiting = await request<Reply>("POST", `/v1/sessions/${other}/replies`, { key, body });
    expect(waiting.body.status).toBe("awaiting_external_result");
    const result = {
      type: "tool_result",
      id: "call_1",
      name: "look_up",
      output: "found",
      state: "success",
    };
    const answered = await request("POST", `/v1/sessions/${other}/events`, {
      key,
      body: {
        type: "EXTERNAL_EXECUTION_RESULT",
        reply_id: waiting.body.id,
        execution_results: [result],
      },
    });
    expect([answered.status, JSON.stringify(answered.body)]).toEqual([202, expect.any(String)]);
    await expect.poll(() => calling.requests.length).toBe(2);
    const none = await say({ input: "Hi", tool_choice: "none" });

    expect(calling.requests[0]?.body).toMatchObject({
      tool_choice: { type: "function", function: { name: "look_up" } },
    });
    expect(Object.keys(bodyOf(calling))).not.toContain("tool_choice");
    expect(none.body.status).toBe("completed");
    expect(bodyOf(chat)["tool_choice"]).toBe("none");
  });

  test("that is queued keeps what it asks for, and shows it while it waits", BROAD, async () => {
    const { key, agent } = await openSession();
    const held = await startFakeAnthropic(tells("late"));
    onTestFinished(() => held.stop());
    await request("PATCH", `/v1/agents/${agent}`, {
      key,
      body: {
        model: { provider: "scripted" },
        allowed_models: [{ provider: "anthropic", name: "claude", base_url: held.url }],
      },
    });
    const session = await createSession(key, agent);
    const path = `/v1/sessions/${session}/replies`;
    const first = await request<Reply>("POST", path, {
      key,
      body: { input: "/call look_up {}", background: true },
    });
    const body = {
      input: "Hi",
      model: "claude",
      parameters: { max_tokens: 7 },
      on_busy: "queue",
      background: true,
    };
    const queued = await request<Reply>("POST", path, { key, body });
    const options = { model: "claude", parameters: { max_tokens: 7 } };
    expect(queued.body.model_options).toEqual(options);

    await request("POST", `/v1/sessions/${session}/interrupt`, { key, body: {} });
    await expect
      .poll(async () => (await request<Reply>("GET", `${path}/${queued.body.id}`, { key })).body)
      .toMatchObject({ status: "completed", model_options: options });

    expect(first.status).toBe(202);
    expect(held.requests[0]?.body).toMatchObject({ model: "claude", max_tokens: 7 });
  });

  test.each([
    [{ model: "gpt-5" }, "#/model"],
    [{ tool_choice: { name: "refund" } }, "#/tool_choice/name"],
    [{ tool_choice: "any" }, "#/tool_choice"],
    [{ parameters: { temperature: 3 } }, "#/parameters/temperature"],
    [{ parameters: { max_tokens: 0 } }, "#/parameters/max_tokens"],
    [{ parameters: { logit_bias: {} } }, "#/parameters"],
    [{ parallel_tool_calls: "no" }, "#/parallel_tool_calls"],
    [{ reasoning_effort: "extreme" }, "#/reasoning_effort"],
  ])("is refused with %j", async (options, pointer) => {
    const { say, chat } = await openSession();

    const { status, body } = await say({ input: "Hi", ...options });

    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(pointer);
    expect(chat.requests).toEqual([]);
  });

  test("of a client token cannot say how the models are called", async () => {
    const { key, session, chat } = await openSession();
    const path = `/v1/sessions/${session}`;
    const { body: token } = await request<ClientToken>("POST", `${path}/tokens`, {
      key,
      body: { verbs: ["read", "reply"] },
    });

    const { status, body } = await request("POST", `${path}/replies`, {
      key: token.token,
      body: { input: "Hi", model: "claude", parameters: { max_tokens: 9 } },
    });

    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        errors: [
          { pointer: "#/model", detail: expect.any(String) },
          { pointer: "#/parameters", detail: expect.any(String) },
        ],
      }),
    ]);
    expect(chat.requests).toEqual([]);
  });
});
