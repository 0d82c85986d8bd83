// Replies that fill a JSON Schema in, over HTTP. That such a stream is the same from every cut is a shape of the resume
// suite.
import { beforeAll, describe, expect, it } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../../support/platform-client.ts";

const ANSWER = {
  type: "object",
  properties: {
    answer: { type: "string" },
    order_ids: { type: "array", items: { type: "string" } },
    is_urgent: { type: "boolean", default: false },
  },
  required: ["answer", "order_ids"],
};

let key: string;

beforeAll(async () => {
  ({ key } = await createTenant());
});

async function ask(session: string, body: object): Promise<Reply> {
  const path = `/v1/sessions/${session}/replies`;
  const { status, body: reply } = await request<Reply>("POST", path, { key, body });
  expect(status).toBe(200);
  return reply;
}

describe("structured output", () => {
  it("is in the reply that was asked for it, with the tools' work before it", async () => {
    const session = await createSession(key);
    const reply = await ask(session, {
      input: "Where is my order A-1001?",
      structured_schema: ANSWER,
    });

    expect(reply).toMatchObject({ status: "completed", error: null });
    expect(reply.message?.structured_output).toEqual({
      answer: expect.stringContaining("Here is what I know about A-1001"),
      order_ids: ["A-1001"],
      is_urgent: false,
    });
    expect(reply.message?.content.map((block) => block.type)).toEqual([
      "hint",
      "thinking",
      "tool_call",
      "tool_result",
      "hint",
      "tool_call",
      "tool_result",
    ]);
  });

  it("comes as an event right before the end, and the schema stands in the first", async () => {
    const session = await createSession(key);
    const response = await openRequest("POST", `/v1/sessions/${session}/replies`, {
      key,
      body: {
        input: '/structured {"answer":"Yes","order_ids":[]}',
        structured_schema: ANSWER,
        stream: true,
      },
    });
    const frames = await readSse(response);
    const events = frames.map(({ data }) => JSON.parse(data) as Record<string, unknown>);
    const { reply_id } = events[0] as { reply_id: string };

    expect(events[0]?.["metadata"]).toEqual({ structured_schema: ANSWER });
    expect(frames.slice(-4).map(({ event }) => event)).toEqual([
      "TOOL_RESULT_TEXT_DELTA",
      "TOOL_RESULT_END",
      "CUSTOM",
      "REPLY_END",
    ]);
    expect(events.at(-2)).toMatchObject({
      name: "structured_output",
      reply_id,
      value: { reply_id, output: { answer: "Yes", order_ids: [], is_urgent: false } },
    });
  });

  it("is what the agent asks for by default, unless the request says otherwise", async () => {
    const agent = await createAgent(key, { structured_output: ANSWER });
    const session = await createSession(key, agent);
    const input = "hello";
    const own = { type: "object", properties: { order_ids: { type: "array" } } };

    const outputs = [
      await ask(session, { input }),
      await ask(session, { input, structured_schema: own }),
      await ask(session, { input, structured_schema: null }),
    ].map(({ message }) => message?.structured_output);

    expect(outputs).toEqual([
      { answer: expect.stringContaining("refund desk"), order_ids: [], is_urgent: false },
      { order_ids: [] },
      null,
    ]);
  });

  it("is null when the model would not give it", async () => {
    const agent = await createAgent(key, { max_iters: 1 });
    const reply = await ask(await createSession(key, agent), {
      input: "/say I would rather talk.\n/loop",
      structured_schema: ANSWER,
    });

    expect(reply.status).toBe("exceed_max_iters");
    expect(reply.message?.structured_output).toBeNull();
  });

  it.each([
    ["no object's schema", { type: "array" }],
    ["no schema", "object"],
    ["a schema with a reference to nothing", { type: "object", $ref: "#/$defs/a" }],
  ])("is refused with %s", async (_what, structured_schema) => {
    const session = await createSession(key);
    const path = `/v1/sessions/${session}/replies`;
    const reply = await request("POST", path, { key, body: { input: "hi", structured_schema } });
    const agent = await request("POST", "/v1/agents", {
      key,
      body: { name: "A", structured_output: structured_schema },
    });

    expect([reply.status, agent.status]).toEqual([400, 400]);
    expect([reply.body["errors"], agent.body["errors"]]).toEqual([
      [{ pointer: "#/structured_schema", detail: expect.any(String) }],
      [{ pointer: "#/structured_output", detail: expect.any(String) }],
    ]);
    const { body } = await request<{ data: unknown[] }>("GET", path, { key });
    expect(body.data).toEqual([]);
  });

  it.each(["GenerateStructuredOutput", "answer_remote_agent"])(
    "leaves the name %s to the platform",
    async (name) => {
      const tool = { type: "http", name, url: "https://example.com" };
      const { status, body } = await request("POST", "/v1/agents", {
        key,
        body: { name: "A", tools: [tool] },
      });

      expect([status, body["errors"]]).toEqual([
        400,
        [
          {
            pointer: "#/tools",
            detail:
              "the names GenerateStructuredOutput, update_shared_state, read_tool_result, compress_context, answer_remote_agent are the platform's",
          },
        ],
      ]);
    },
  );
});
