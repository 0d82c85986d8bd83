// The refund desk on an OpenAI-compatible endpoint: the same story as with the embedded model, event by event, and
// what becomes of a reply when the endpoint fails.
import { describe, expect, inject, it, onTestFinished } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import {
  says,
  startFakeOpenAi,
  type FakeOpenAi,
  type FakeStream,
  type FakeTurn,
} from "../../support/fake-openai.ts";
import { refundDesk } from "../../support/fake-refund-desk.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../../support/platform-client.ts";

interface StoredReply {
  readonly status: string;
  readonly message: Msg;
  readonly error: { readonly type: string; readonly message: string } | null;
}

async function startModel(...turns: FakeTurn[]): Promise<FakeOpenAi> {
  const server = await startFakeOpenAi(...turns);
  onTestFinished(() => server.stop());
  return server;
}

function openAi({ baseUrl }: FakeOpenAi, name = "gpt-fake"): object {
  return { provider: "openai", name, base_url: baseUrl };
}

/** A session of a fresh tenant, on an agent with this model. */
async function openChat(agent: object): Promise<{ key: string; session: string }> {
  const { key } = await createTenant();
  return { key, session: await createSession(key, await createAgent(key, agent)) };
}

async function say(chat: { key: string; session: string }, input: string): Promise<LoggedEvent[]> {
  const response = await openRequest("POST", `/v1/sessions/${chat.session}/replies`, {
    key: chat.key,
    body: { input, stream: true },
  });
  expect(response.status).toBe(200);
  return (await readSse(response)).map((frame) => JSON.parse(frame.data) as LoggedEvent);
}

/** The last reply as it is stored. */
async function readReply(
  chat: { key: string; session: string },
  events: readonly LoggedEvent[],
): Promise<StoredReply> {
  const [start] = events;
  if (start?.type !== "REPLY_START") throw new Error("the stream does not begin with REPLY_START");
  const path = `/v1/sessions/${chat.session}/replies/${start.reply_id}`;
  return (await request<StoredReply>("GET", path, { key: chat.key })).body;
}

/** Event types in order; a run of the same delta is one, however it was merged. */
function typesOf(events: readonly LoggedEvent[]): string[] {
  const types = events.map((event) => event.type);
  return types.filter((type, index) => !type.endsWith("_DELTA") || type !== types[index - 1]);
}

/** The content of a message, without the ids and times that differ from run to run. */
function contentOf({ content }: Msg): unknown[] {
  return content.map((block) => {
    switch (block.type) {
      case "text":
        return { text: block.text };
      case "thinking":
        return { thinking: block.thinking };
      case "tool_call":
        return { call: block.name, input: block.input, state: block.state };
      case "tool_result":
        return {
          result: block.name,
          state: block.state,
          output:
            typeof block.output === "string"
              ? block.output
              : block.output.map((part) => (part.type === "text" ? part.text : part.source)),
        };
      case "data":
      case "hint":
        return block;
      default:
        return block satisfies never;
    }
  });
}

async function play(model: object, inputs: readonly string[], agent: object = {}) {
  const chat = await openChat({ model, system_prompt: "You are the refund desk.", ...agent });
  const replies: { types: string[]; status: string; content: unknown[] }[] = [];
  for (const input of inputs) {
    const events = await say(chat, input);
    const { status, message } = await readReply(chat, events);
    replies.push({ types: typesOf(events), status, content: contentOf(message) });
  }
  return replies;
}

describe("the refund desk on an OpenAI-compatible endpoint", () => {
  for (const [rows, breadth] of sampled(
    [
      ["one order", ["Where is my order A-1001?"]],
      ["two orders, looked up in parallel", ["Where are A-1001 and A-1002?"]],
      ["an order that is not there", ["Where is A-9999?"]],
      [
        "a conversation",
        ["Hello!", "Where is A-1002?", "And what was A-1003 again?", "Thank you."],
      ],
    ],
    1,
  ))
    it.each(rows)(
      "tells the same story as the embedded model: %s",
      breadth,
      async (_story, inputs) => {
        const server = await startModel(refundDesk);

        const told = await play(openAi(server), inputs);

        expect(told).toEqual(await play({ provider: "scripted" }, inputs));
        expect(told.every(({ status }) => status === "completed")).toBe(true);
      },
    );

  it(
    "parks on the refund that a person has to allow, as the embedded model does",
    BROAD,
    async () => {
      const server = await startModel(refundDesk);
      const tools = ["lookup_order", "refund_order"].map((name) => ({
        type: "http",
        name,
        url: `${inject("toolsUrl")}/${name}`,
        read_only: name === "lookup_order",
        concurrency_safe: true,
      }));
      const inputs = ["I want my money back for A-1003 and A-1004."];

      const told = await play(openAi(server), inputs, { tools });

      expect(told).toEqual(await play({ provider: "scripted" }, inputs, { tools }));
      expect(told[0]?.status).toBe("awaiting_permission");
      expect(told[0]?.types.at(-1)).toBe("REQUIRE_USER_CONFIRM");
    },
  );

  it("shows the endpoint the conversation: calls, their results, earlier replies", async () => {
    const server = await startModel(refundDesk);

    await play(openAi(server), ["Where is A-1002?", "Thank you."]);

    const bodies = server.requests.map(
      ({ body }) => (body as { messages: { role: string }[] }).messages,
    );
    expect(bodies.map((messages) => messages.map(({ role }) => role))).toEqual([
      ["system", "user"],
      ["system", "user", "assistant", "tool"],
      ["system", "user", "assistant", "tool", "assistant", "user"],
      ["system", "user", "assistant", "tool", "assistant", "user", "assistant", "tool"],
    ]);
  });
});

describe("an endpoint that fails before it has said anything", () => {
  for (const [rows, breadth] of sampled(
    [
      [400, "invalid_request"],
      [401, "authentication"],
      [403, "permission"],
    ] as const,
    1,
  ))
    it.each(rows)(
      "with %i ends the reply at once with %s, in fixed words",
      breadth,
      async (status, type) => {
        const server = await startModel((stream) => stream.fail(status));
        const chat = await openChat({ model: openAi(server) });

        const events = await say(chat, "Hello");

        expect(typesOf(events)).toEqual([
          "REPLY_START",
          "MODEL_CALL_START",
          "MODEL_CALL_END",
          "REPLY_END",
        ]);
        expect(events.at(-1)).toMatchObject({ finished_reason: "error", error: { type } });
        expect(JSON.stringify(events)).not.toContain("sk-secret");
        expect(server.requests.length).toBe(1);
      },
    );

  it("with 429 is called again after Retry-After, and nobody notices", async () => {
    const calledAtMs: number[] = [];
    const late: FakeTurn = (stream) => {
      calledAtMs.push(performance.now());
      stream.fail(429, "slow down", { "retry-after": "1" });
    };
    const server = await startModel(late, (stream, recorded) => {
      calledAtMs.push(performance.now());
      return says("Here ", "I am.")(stream, recorded);
    });
    const chat = await openChat({ model: openAi(server) });

    const events = await say(chat, "Hello");

    expect(typesOf(events)).toEqual([
      "REPLY_START",
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_DELTA",
      "TEXT_BLOCK_END",
      "MODEL_CALL_END",
      "REPLY_END",
    ]);
    expect(calledAtMs).toHaveLength(2);
    expect((calledAtMs[1] ?? 0) - (calledAtMs[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it("with 500 again and again gives way to the fallback model", BROAD, async () => {
    const broken = await startModel((stream) => stream.fail(500));
    const sound = await startModel(refundDesk);
    const chat = await openChat({
      model: openAi(broken, "first"),
      fallback_models: [openAi(sound, "second")],
    });

    const events = await say(chat, "Where is A-1001?");

    expect(
      events.flatMap((event) => (event.type === "MODEL_CALL_START" ? [event.model_name] : [])),
    ).toEqual(["first", "second", "second"]);
    expect([broken.requests.length, sound.requests.length]).toEqual([4, 2]);
    const { status, message } = await readReply(chat, events);
    expect(status).toBe("completed");
    expect(message.usage).toEqual({
      input_tokens: 200,
      output_tokens: 40,
      cache_input_tokens: 100,
      cache_creation_input_tokens: 0,
    });
  });
});

describe("an endpoint that fails in the middle of a word", () => {
  const failures: readonly [string, (stream: FakeStream) => void | Promise<void>][] = [
    ["a cut socket", (stream) => stream.cut()],
    ["garbage", (stream) => stream.raw("data: {]\n\n")],
  ];
  for (const [rows, breadth] of sampled(failures, 1))
    it.each(rows)(
      "by %s is asked again, and what it had said is taken back",
      breadth,
      async (_case, fail) => {
        const broken: FakeTurn = async (stream) => {
          stream.text("It is on i");
          await new Promise((resolve) => setTimeout(resolve, 50));
          await fail(stream);
        };
        const server = await startModel(broken, says("It is on its way."));
        const chat = await openChat({ model: openAi(server) });

        const events = await say(chat, "Where is it?");

        const { status, message, error } = await readReply(chat, events);
        expect({ status, error, content: contentOf(message) }).toEqual({
          status: "completed",
          error: null,
          content: [{ text: "It is on its way." }],
        });
        expect(
          events.filter((event) => "name" in event && event.name === "reply_recovered"),
        ).toHaveLength(1);
        expect(server.requests.length).toBe(2);
      },
    );

  it("by a refusal ends the reply with what it had said", BROAD, async () => {
    const server = await startModel((stream) => {
      stream.text("It is on i");
      stream.event({ error: { message: "too long", code: 400 } });
      stream.end();
    });
    const chat = await openChat({ model: openAi(server), fallback_models: [openAi(server)] });

    const events = await say(chat, "Where is it?");

    const { status, message, error } = await readReply(chat, events);
    expect({ status, type: error?.type, content: contentOf(message) }).toEqual({
      status: "error",
      type: "invalid_request",
      content: [{ text: "It is on i" }],
    });
    expect(server.requests.length).toBe(1);
  });

  it(
    "by silence keeps the reply running, and an interrupt ends it and drops the connection",
    BROAD,
    async () => {
      const server = await startModel((stream) => stream.text("It is on i"));
      const chat = await openChat({ model: openAi(server) });
      const response = await openRequest("POST", `/v1/sessions/${chat.session}/replies`, {
        key: chat.key,
        body: { input: "Where is it?", stream: true },
      });
      await readSse(response, { until: (frame) => frame.event === "TEXT_BLOCK_DELTA" });

      const { body } = await request<{ reply: StoredReply }>(
        "POST",
        `/v1/sessions/${chat.session}/interrupt`,
        { key: chat.key },
      );

      expect(body.reply.status).toBe("interrupted");
      expect(contentOf(body.reply.message)).toEqual([{ text: "It is on i" }]);
      await server.abandoned;
    },
  );
});
