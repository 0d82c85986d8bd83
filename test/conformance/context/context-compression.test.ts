// A conversation that outgrows the window of its model, over HTTP: what the provider is sent, and what readers see.
import { describe, expect, onTestFinished, test } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import { BROAD } from "../../support/breadth.ts";
import { startFakeOpenAi, type FakeStream } from "../../support/fake-openai.ts";
import type { RecordedRequest } from "../../support/loopback-server.ts";
import { request } from "../../support/platform-client.ts";
import { openChatAt, say, type Chat } from "../diagnostics/diagnosed-chat.ts";

interface Sent {
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly { readonly id: string }[];
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: unknown;
}

const FIELDS = {
  task_overview: "Sell lamps.",
  current_state: "One is sold.",
  important_discoveries: "Red ones are out.",
  next_steps: "Ask for the colour.",
  context_to_preserve: "Speaks German.",
};

/** 450 tokens, as estimated. */
const LONG = "word ".repeat(360);

function answer(stream: FakeStream, text: string, tokens = 20): void {
  stream.delta({ role: "assistant", content: "", refusal: null });
  stream.text(text);
  stream.finish();
  stream.usage(tokens, 5, 4);
  stream.done();
}

const sentOf = ({ body }: RecordedRequest): Sent => body as Sent;
const isSummary = (sent: Sent): boolean =>
  JSON.stringify(sent.messages.at(-1)).includes("about to be replaced by a summary");

interface Talk extends Chat {
  /** Requests of replies, and of summaries, in order. */
  readonly sent: Sent[];
  readonly summaries: Sent[];
}

type Writing = (stream: FakeStream, sent: Sent) => void;
type Talking = (stream: FakeStream, call: number) => void;

async function openTalk(
  context: object,
  {
    write = (stream) => answer(stream, JSON.stringify(FIELDS), 50),
    talk = (stream, call) => answer(stream, `Answer ${call}.`),
    agent = {},
  }: { write?: Writing; talk?: Talking; agent?: object } = {},
): Promise<Talk> {
  const sent: Sent[] = [];
  const summaries: Sent[] = [];
  const server = await startFakeOpenAi((stream, recorded) => {
    const one = sentOf(recorded);
    if (isSummary(one)) {
      summaries.push(one);
      write(stream, one);
      return;
    }
    sent.push(one);
    talk(stream, sent.length);
  });
  onTestFinished(() => server.stop());
  const settings = { context_size: 2_000, token_counter: "estimate", ...context };
  const chat = await openChatAt(server.baseUrl, { context: settings, ...agent });
  return { ...chat, sent, summaries };
}

/** Two replies below the soft threshold, 1,600, and one that is above the hard one, 1,800, before its first call. */
async function outgrow(talk: Talk): Promise<Reply> {
  await say(talk, `first ${LONG}`);
  await say(talk, `second ${LONG}`);
  return say(talk, `third ${LONG}${LONG}`);
}

interface Page {
  readonly data: readonly {
    readonly type: string;
    readonly seq: number;
    readonly name?: string;
    readonly reply_id?: string;
    readonly value: Readonly<Record<string, unknown>>;
  }[];
}

/** The custom events of the whole log that are about the context. */
async function customEvents({ key, session }: Chat): Promise<Page["data"]> {
  const found: Page["data"][number][] = [];
  for (let after = 0; ;) {
    const path = `/v1/sessions/${session}/events?limit=100&after=${after}`;
    const { data } = (await request<Page>("GET", path, { key })).body;
    found.push(...data);
    const last = data.at(-1);
    if (!last) break;
    after = last.seq;
  }
  return found.filter(({ type, name }) => type === "CUSTOM" && name?.startsWith("context_"));
}

const textOf = (sent: Sent | undefined): string => JSON.stringify(sent?.messages);

/** Every call has its result right behind it, and every result its call. */
function expectPaired({ messages }: Sent): void {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
  const results = messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
  expect(results).toEqual(calls);
}

describe("a reply whose conversation is above the hard threshold", () => {
  test("waits for a summary, which the stream, the usage and every later request have", async () => {
    const talk = await openTalk({});
    const reply = await outgrow(talk);
    const next = await say(talk, "fourth");

    expect([reply.status, next.status]).toEqual(["completed", "completed"]);
    expect(talk.summaries).toHaveLength(1);
    // Nothing in front has changed, so that the provider's prompt cache is used.
    const [summary] = talk.summaries;
    const [, second] = talk.sent;
    expect(summary!.tools).toEqual(second!.tools);
    expect(summary!.tool_choice).toBeUndefined();
    expect(textOf(summary).startsWith(textOf(second).slice(0, -1))).toBe(true);
    const [event, ...others] = await customEvents(talk);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      name: "context_compressed",
      reply_id: reply.id,
      value: {
        reply_id: reply.id,
        trigger: "hard_threshold",
        model: "gpt-fake",
        last_block_id: null,
        usage: { input_tokens: 50, output_tokens: 5, cache_input_tokens: 4 },
      },
    });
    expect(event!.value["tokens_after"]).toBeLessThan(event!.value["tokens_before"] as number);
    expect(reply.usage).toMatchObject({ input_tokens: 70, output_tokens: 10 });
    const [, , third, fourth] = talk.sent;
    expect(textOf(third)).toContain("Red ones are out.");
    expect(textOf(third)).toContain("third word");
    expect(textOf(third)).not.toContain("first word");
    // The next request begins with the same bytes.
    expect(textOf(fourth).startsWith(textOf(third).slice(0, -1))).toBe(true);
  });

  test(
    "loses its older messages, and says so, when the model writes no summary",
    BROAD,
    async () => {
      const talk = await openTalk({}, { write: (stream) => stream.fail(400) });
      const reply = await outgrow(talk);

      expect(reply.status).toBe("completed");
      expect(await customEvents(talk)).toMatchObject([
        { name: "context_truncated", value: { reason: "compression_failed", reply_id: reply.id } },
      ]);
      expect(textOf(talk.sent[2])).toContain("Earlier messages of this conversation are left out");
      expect(textOf(talk.sent[2])).not.toContain("first word");
      const stored = await request<{ data: unknown[] }>(
        "GET",
        `/v1/sessions/${talk.session}/messages`,
        { key: talk.key },
      );
      expect(stored.body.data).toHaveLength(6);
    },
  );

  test("has a model of its own for the summary, with the tenant's form", BROAD, async () => {
    const written: Sent[] = [];
    const writer = await startFakeOpenAi((stream, recorded) => {
      const sent = sentOf(recorded);
      written.push(sent);
      const input = JSON.stringify({ topic: "Lamps, all red ones sold." });
      stream.calls({ index: 0, id: "c", name: "GenerateStructuredOutput", arguments: input });
      stream.finish("tool_calls");
      stream.usage(30, 3);
      stream.done();
    });
    onTestFinished(() => writer.stop());
    const talk = await openTalk({
      compression_model: { provider: "openai", name: "gpt-small", base_url: writer.baseUrl },
      compression_prompt: "Sum up the trade.",
      summary_schema: {
        type: "object",
        properties: { topic: { type: "string" } },
        required: ["topic"],
      },
      summary_template: "<system-info>So far: {topic}</system-info>",
    });
    const reply = await outgrow(talk);

    expect([reply.status, talk.summaries]).toEqual(["completed", []]);
    expect(written).toMatchObject([
      { tool_choice: { function: { name: "GenerateStructuredOutput" } } },
    ]);
    expect(textOf(written[0])).toContain("Sum up the trade.");
    expect(await customEvents(talk)).toMatchObject([{ value: { model: "gpt-small" } }]);
    expect(textOf(talk.sent[2])).toContain(
      "<system-info>So far: Lamps, all red ones sold.</system-info>",
    );
  });
});

describe("a request that the provider refuses as too long", () => {
  const tooLong = (stream: FakeStream): void =>
    stream.fail(400, "too many tokens", {}, "context_length_exceeded");

  test("is sent again with a summary, and the reply is completed", async () => {
    const talk = await openTalk(
      { context_size: 100_000 },
      {
        talk: (stream, call) => (call === 3 ? tooLong(stream) : answer(stream, `Answer ${call}.`)),
      },
    );
    const reply = await outgrow(talk);

    expect([reply.status, talk.sent.length]).toEqual(["completed", 4]);
    expect(await customEvents(talk)).toMatchObject([{ value: { trigger: "prompt_too_long" } }]);
    expect(textOf(talk.sent[3]).length).toBeLessThan(textOf(talk.sent[2]).length);
  });

  test("again and again ends the reply with an error that says why", BROAD, async () => {
    const talk = await openTalk({ context_size: 100_000 }, { talk: tooLong });
    for (const name of ["one", "two", "three"]) await say(talk, `${name} ${LONG}`);
    const before = talk.sent.length;
    const reply = await say(talk, `four ${LONG}`);

    expect(reply).toMatchObject({
      status: "error",
      error: {
        type: "invalid_request",
        message: "The conversation is too long for the model, and could not be made short enough.",
      },
    });
    expect(talk.sent.length - before).toBeLessThanOrEqual(3);
  });
});

describe("a reply with many turns of tools", () => {
  test("stays within the window at every call, and loses no result of a call", BROAD, async () => {
    const talk = await openTalk(
      { context_size: 3_000 },
      {
        agent: {
          max_iters: 30,
          shared_state: { enabled: true },
          permission: { mode: "bypass", rules: [] },
        },
        talk(stream, call) {
          if (call > 20) return answer(stream, "Done.");
          stream.delta({ role: "assistant", content: "", refusal: null });
          stream.text(`Turn ${call}. ${"think ".repeat(100)}`);
          for (const index of [0, 1]) {
            const patch = [{ op: "add", path: `/n${index}`, value: call }];
            const input = { name: "update_shared_state", arguments: JSON.stringify({ patch }) };
            stream.calls({ index, id: `call_${call}_${index}`, ...input });
          }
          stream.finish("tool_calls");
          stream.usage(20, 5);
          stream.done();
        },
      },
    );
    const reply = await say(talk, "Do it twenty times, for order A-1001.");

    expect(reply.status).toBe("completed");
    expect(talk.sent).toHaveLength(21);
    for (const sent of [...talk.sent, ...talk.summaries]) {
      expectPaired(sent);
      expect(textOf(sent).length / 4).toBeLessThan(3_500);
    }
    expect((await customEvents(talk)).length).toBeGreaterThan(0);
    expect(textOf(talk.sent.at(-1))).toContain("Do it twenty times, for order A-1001.");
  });

  test("compresses its context when its model asks for it", async () => {
    const talk = await openTalk(
      { compression_tool_enabled: true },
      {
        talk(stream, call) {
          if (call !== 2) return answer(stream, `Answer ${call}.`);
          const input = JSON.stringify({ instructions: "Keep the colours." });
          stream.calls({ index: 0, id: "call_1", name: "compress_context", arguments: input });
          stream.finish("tool_calls");
          stream.usage(20, 5);
          stream.done();
        },
      },
    );
    await say(talk, `first ${LONG}`);
    const reply = await say(talk, "second");

    expect(reply.status).toBe("completed");
    expect(textOf(talk.summaries[0])).toContain("Keep the colours.");
    expect(await customEvents(talk)).toMatchObject([
      { name: "context_compressed", value: { trigger: "tool", reply_id: reply.id } },
    ]);
    expect(textOf(talk.sent[2])).not.toContain("first word");
    expect(textOf(talk.sent[2])).toContain("second");
  });
});

test("an agent's context is refused with a pointer to what is wrong", async () => {
  const { key } = await openTalk({});
  const body = {
    name: "Agent",
    context: { trigger_ratio: 0.5, trigger_threshold: 9, summary_template: "{next_step}" },
  };
  const refused = await request<{ errors: { pointer: string }[] }>("POST", "/v1/agents", {
    key,
    body,
  });

  expect(refused.status).toBe(400);
  expect(refused.body.errors.map(({ pointer }) => pointer)).toEqual([
    "#/context/trigger_threshold",
    "#/context/summary_template",
  ]);
});

test("the credential and the address of a compression model are checked as those of the other models", async () => {
  const { key } = await openTalk({});
  const pointersOf = async (model: object) => {
    const compression_model = { provider: "openai", name: "small", ...model };
    const body = { name: "Agent", context: { compression_model } };
    const refused = await request<{ errors: { pointer: string }[] }>("POST", "/v1/agents", {
      key,
      body,
    });
    return refused.body.errors.map(({ pointer }) => pointer);
  };

  expect(await pointersOf({ credential_id: "crd_00000000000000000000000000" })).toEqual([
    "#/context/compression_model/credential_id",
  ]);
  expect(await pointersOf({ base_url: "http://169.254.169.254/v1" })).toEqual([
    "#/context/compression_model/base_url",
  ]);
});
