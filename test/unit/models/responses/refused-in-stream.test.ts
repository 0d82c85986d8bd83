// A response that fails for one tool's schema before its first word: it is made again without that tool.
import { expect, it, onTestFinished } from "vitest";

import { createOpenAiModel } from "../../../../model/openai/openai-model.ts";
import { collect } from "../../../support/collect.ts";
import { startFakeResponses } from "../../../support/fake-responses.ts";
import { joinChunks } from "../../../support/join-chunks.ts";
import { lookUp, outgoing, question, running } from "../anthropic/stage.ts";

const MESSAGE =
  "Invalid schema for function 'odd': In context=('properties', 'a'), array schema missing items.";
const ERROR = { code: "invalid_request_error", message: MESSAGE };

it.each([
  ["response.failed", { response: { status: "failed", error: ERROR } }],
  ["error", ERROR],
])("%s for one tool's schema takes that tool away", async (type, members) => {
  const server = await startFakeResponses((stream, { body }) => {
    const { tools = [] } = body as { tools?: readonly { name: string }[] };
    stream.start();
    if (tools.some(({ name }) => name === "odd")) stream.event(type, members);
    else {
      stream.event("response.output_text.delta", { output_index: 0, delta: "Hi" });
      stream.event("response.completed", { response: { status: "completed" } });
    }
    stream.end();
  });
  onTestFinished(() => server.stop());
  const model = createOpenAiModel({
    definition: {
      provider: "openai",
      api: "responses",
      name: "m",
      base_url: server.baseUrl,
      parameters: {},
    },
    outgoing,
  });
  const tools = [lookUp, { ...lookUp, name: "odd" }];

  const chunks = joinChunks(await collect(model.stream({ ...question, tools }, running())));

  expect(server.requests).toHaveLength(2);
  expect(chunks).toEqual([
    { learned: { author: expect.any(String), form: { left_out_tools: ["odd"] } } },
    { text: "Hi" },
  ]);
});

it("an error after the first word is none of the request's form", async () => {
  const server = await startFakeResponses((stream) => {
    stream.start();
    stream.event("response.output_text.delta", { output_index: 0, delta: "Hi" });
    stream.event("error", ERROR);
    stream.end();
  });
  onTestFinished(() => server.stop());
  const model = createOpenAiModel({
    definition: {
      provider: "openai",
      api: "responses",
      name: "m",
      base_url: server.baseUrl,
      parameters: {},
    },
    outgoing,
  });

  const chunks = await collect(
    model.stream({ ...question, tools: [{ ...lookUp, name: "odd" }] }, running()),
  );

  expect(server.requests).toHaveLength(1);
  expect(chunks.at(-1)).toMatchObject({ error: { type: "invalid_request" } });
});
