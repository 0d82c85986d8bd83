// `on_max_iters: "summarize"`: one more call without tools, by each wire of a provider.
import { describe, expect, onTestFinished, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { startFakeAnthropic } from "../../support/fake-anthropic.ts";
import { says, startFakeOpenAi } from "../../support/fake-openai.ts";
import { startFakeResponses } from "../../support/fake-responses.ts";
import { calls, eventsOf, openSession, say, startTools, textOf, toolAt } from "./ending-desk.ts";

describe("after the last round", () => {
  test.each([
    {
      wire: "chat completions",
      none: "none",
      start: async () => {
        const server = await startFakeOpenAi(calls("call_1", "look"), says("I looked once."));
        return { server, model: { provider: "openai", base_url: server.baseUrl } };
      },
    },
    {
      wire: "the Responses API",
      none: "none",
      start: async () => {
        const server = await startFakeResponses(
          (response) => {
            response.start();
            response.functionCall("call_1", "look", "{}");
            response.done();
          },
          (response) => {
            response.start();
            response.text("I looked once.");
            response.done();
          },
        );
        const model = { provider: "openai", api: "responses", base_url: server.baseUrl };
        return { server, model };
      },
    },
    {
      wire: "the Messages API",
      none: { type: "none" },
      start: async () => {
        const server = await startFakeAnthropic(
          (message) => {
            message.start();
            message.toolUse("call_1", "look", "{}");
            message.finish("tool_use");
            message.done();
          },
          (message) => {
            message.start();
            message.text("I looked once.");
            message.finish();
            message.done();
          },
        );
        return { server, model: { provider: "anthropic", base_url: server.url } };
      },
    },
  ])("the model sums up by $wire, its tools declared and forbidden", async ({ start, none }) => {
    const tools = await startTools();
    const { server, model } = await start();
    onTestFinished(() => server.stop());
    const session = await openSession({
      model: { ...model, name: "m" },
      tools: [toolAt(tools, "look")],
      max_iters: 1,
      on_max_iters: "summarize",
    });

    const reply = await say(session, "Where is it?");

    expect([reply.status, reply.error, textOf(reply)]).toEqual([
      "exceed_max_iters",
      null,
      "I looked once.",
    ]);
    const sent = server.requests.map(({ body }) => body as Record<string, unknown>);
    expect(sent.map(({ tool_choice }) => tool_choice)).toEqual([undefined, none]);
    expect(sent[1]?.["tools"]).toEqual(sent[0]?.["tools"]);
    expect(sent[0]?.["tools"]).toHaveLength(1);
    expect(JSON.stringify(sent[1])).toContain("This reply has used all of its rounds");

    await say(session, "And now?");
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain(
      "has used all of its rounds",
    );
  });

  test(
    "a model that only ever calls tools runs none of them, and the reply ends",
    BROAD,
    async () => {
      const tools = await startTools();
      const model = await startFakeOpenAi(calls("", "look"));
      onTestFinished(() => model.stop());
      const session = await openSession({
        model: { provider: "openai", name: "m", base_url: model.baseUrl },
        tools: [toolAt(tools, "look")],
        max_iters: 2,
        on_max_iters: "summarize",
      });

      const reply = await say(session, "Where is it?");

      expect(reply.status).toBe("exceed_max_iters");
      expect([model.requests.length, tools.calls("/look")]).toEqual([3, 2]);
      const results = reply.message?.content.filter(({ type }) => type === "tool_result");
      expect(results).toMatchObject([
        { state: "success" },
        { state: "success" },
        { state: "interrupted" },
      ]);
    },
  );

  test("a summary that fails leaves the end of the rounds as it is, with the error beside it", async () => {
    const tools = await startTools();
    const model = await startFakeOpenAi(calls("call_1", "look"), (stream) => stream.fail(400));
    onTestFinished(() => model.stop());
    const session = await openSession({
      model: { provider: "openai", name: "m", base_url: model.baseUrl },
      tools: [toolAt(tools, "look")],
      max_iters: 1,
      on_max_iters: "summarize",
    });

    const reply = await say(session, "Where is it?");

    expect([reply.status, reply.error]).toEqual(["exceed_max_iters", null]);
    expect((await eventsOf(session)).at(-1)).toMatchObject({
      type: "REPLY_END",
      finished_reason: "exceed_max_iters",
      metadata: { summary_error: { type: "invalid_request" } },
    });
  });
});
