// A tenant's own model server attacks: each attack ends as it is documented, the session goes on, and what another
// tenant reads and streams meanwhile is whole.
import { gzipSync } from "node:zlib";

import { describe, expect, it, onTestFinished } from "vitest";

import type { LoggedEvent } from "../../protocol/events.ts";
import { MAX_TURN_BLOCKS, MAX_TURN_CALLS } from "../../protocol/models/limits.ts";
import { MAX_REPLY_CHARACTERS } from "../../protocol/replies/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { BROAD, sampled } from "../support/breadth.ts";
import { says, startFakeOpenAi, type FakeOpenAi, type FakeTurn } from "../support/fake-openai.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../support/platform-client.ts";

interface StoredReply {
  readonly id: string;
  readonly status: string;
  readonly message: Msg;
  readonly error: { readonly type: string } | null;
}

interface Victim {
  readonly key: string;
  readonly session: string;
  readonly server: FakeOpenAi;
}

const PIECE = "lorem ipsum dolor ".repeat(1_000);
const LONG = "x".repeat(100_000);

function event(delta: object): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
}

function toolCall(index: number, input = "{}", name = "nope"): object {
  return { index, id: `call_${index}`, function: { name, arguments: input } };
}

function floods(text: string): FakeTurn {
  return (stream) => stream.flood(text);
}

/** So many calls of a tool that is not there, in events of so many. */
function makesCalls(count: number, atOnce: number): FakeTurn {
  return (stream) => {
    for (let index = 0; index < count; index += atOnce) {
      stream.delta({ tool_calls: [...Array(atOnce).keys()].map((at) => toolCall(index + at)) });
    }
    stream.finish("tool_calls");
    stream.done();
  };
}

function answers(text: string): FakeTurn {
  return (stream) => stream.raw(text);
}

function beats(text: string): FakeTurn {
  return async (stream) => {
    while (stream.isOpen) {
      stream.raw(text);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
}

function refuses(status: number, headers: Readonly<Record<string, string>> = {}): FakeTurn {
  return async (stream) => {
    stream.head(status, headers);
    await stream.flood("no ".repeat(10_000));
  };
}

const packed: FakeTurn = async (stream) => {
  stream.head(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
  await stream.flood(gzipSync(event({ content: PIECE }).repeat(1_000)));
};

const callsBeyond: FakeTurn = async (stream) => {
  stream.delta({ tool_calls: [...Array(MAX_TURN_CALLS).keys()].map((index) => toolCall(index)) });
  await stream.flood(event({ tool_calls: [toolCall(4_000, PIECE)] }));
};

const endlessCall: FakeTurn = async (stream) => {
  stream.delta({ tool_calls: [toolCall(0, "{")] });
  await stream.flood(event({ tool_calls: [{ index: 0, function: { arguments: PIECE } }] }));
};

/** The model is stopped, and neither asked again nor replaced by its fallback. */
const FLOODS: readonly [string, FakeTurn][] = [
  ["text", floods(event({ content: PIECE }))],
  ["thinking", floods(event({ reasoning_content: PIECE }))],
  ["the input of a call", endlessCall],
  ["text, packed two hundred to one", packed],
  ["calls beyond those that a turn may have", callsBeyond],
  ["words in events of 100,000 letters", floods(event({ content: "a", padding: LONG }))],
  [
    "thoughts and texts in turn",
    floods(event({ reasoning_content: "a" }) + event({ content: "b" })),
  ],
];

/** The call is made again, and what it had brought is nowhere. */
const FAILURES: readonly [string, FakeTurn][] = [
  ["a failure whose text has no end", refuses(500)],
  [
    "a redirect to itself whose text has no end",
    refuses(307, { location: "/v1/chat/completions" }),
  ],
  ["one event without an end", floods(`data: ${LONG}\n`)],
  ["an event of a million values", answers(`data: [${"{},".repeat(1_000_000)}{}]\n\n`)],
  ["an event of half a million levels", answers(`data: ${"[".repeat(500_000)}\n\n`)],
  ["lines that are no event, without an end", floods("rubbish\n".repeat(1_000))],
];

/** As long as it goes on, the connection is alive. */
const HEARTBEATS: readonly [string, FakeTurn][] = [
  ["comments", beats(": keep-alive\n\n")],
  ["events that bring nothing", beats("data: {}\n\n")],
];

async function openVictim(
  turns: readonly FakeTurn[],
  agent: object = {},
  settings: object = {},
): Promise<Victim> {
  const server = await startFakeOpenAi(...turns);
  onTestFinished(() => server.stop());
  const { key } = await createTenant("A tenant with a hostile model");
  const model = { provider: "openai", name: "evil", base_url: server.baseUrl, ...settings };
  const session = await createSession(key, await createAgent(key, { model, ...agent }));
  return { key, session, server };
}

async function ask({ key, session }: Victim, input = "Hello"): Promise<StoredReply> {
  const path = `/v1/sessions/${session}/replies`;
  const answer = await request<StoredReply>("POST", path, { key, body: { input } });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** Reads and streams of a tenant who has nothing to do with it, until `attack` is over. */
async function besides<Result>(attack: () => Promise<Result>): Promise<Result> {
  const { key } = await createTenant("A bystander");
  const session = await createSession(key);
  const path = `/v1/sessions/${session}/messages`;
  await ask({ key, session } as Victim, "/say Good morning.");
  const first = await request("GET", path, { key });
  const reader = await createSession(key);
  const streamed = openRequest("POST", `/v1/sessions/${reader}/replies`, {
    key,
    body: { input: "/rate 100\n/words 40", stream: true },
  });
  let isOver = false;
  const result = attack().finally(() => (isOver = true));
  do {
    expect((await request("GET", path, { key })).body).toEqual(first.body);
  } while (!isOver);
  const events = (await readSse(await streamed)).map(({ data }) => JSON.parse(data) as LoggedEvent);
  const said = events.map((each) => (each.type === "TEXT_BLOCK_DELTA" ? each.delta : "")).join("");
  expect(said.split(" ")).toHaveLength(40);
  expect(events.at(-1)).toMatchObject({ type: "REPLY_END", finished_reason: "completed" });
  return result;
}

/** Every way to read the session is open, and its next reply is like any other. */
async function expectUsable(victim: Victim): Promise<void> {
  const { key, session } = victim;
  for (const part of ["messages", "replies", "state"]) {
    const { status } = await request("GET", `/v1/sessions/${session}/${part}`, { key });
    expect([part, status]).toEqual([part, 200]);
  }
  expect(await ask(victim, "Are you there?")).toMatchObject({
    status: "completed",
    message: { content: [{ type: "text", text: "Here." }] },
  });
}

function charactersOf({ content }: Msg): number {
  return content.reduce((sum, block) => {
    if (block.type === "text") return sum + block.text.length;
    if (block.type === "thinking") return sum + block.thinking.length;
    return block.type === "tool_call" ? sum + block.input.length : sum;
  }, 0);
}

describe("a model that does not stop", () => {
  it.each(FLOODS)(
    "with %s is stopped, and the reply ends with an error",
    BROAD,
    async (_case, turn) => {
      const victim = await openVictim([turn, says("Here.")], {
        fallback_models: [{ provider: "scripted", name: "spare" }],
      });

      const reply = await besides(() => ask(victim));

      expect({ status: reply.status, error: reply.error }).toEqual({
        status: "error",
        error: {
          type: "output_limit",
          message: "The reply holds as much as a reply may, so its model was stopped.",
        },
      });
      expect(charactersOf(reply.message)).toBeLessThanOrEqual(MAX_REPLY_CHARACTERS);
      expect(reply.message.content.length).toBeLessThanOrEqual(MAX_TURN_BLOCKS + MAX_TURN_CALLS);
      expect(reply.message.content.filter(({ finished_at }) => finished_at === null)).toEqual([]);
      await victim.server.abandoned;
      expect(victim.server.requests).toHaveLength(1);
      await expectUsable(victim);
    },
  );
});

describe("a model that answers with", () => {
  for (const [rows, breadth] of sampled(FAILURES, 1))
    it.each(rows)("%s has failed, and is asked again", breadth, async (_case, turn) => {
      const victim = await openVictim([turn, says("Here.")]);

      const reply = await besides(() => ask(victim));

      expect(reply).toMatchObject({
        status: "completed",
        message: { content: [{ text: "Here." }] },
      });
      expect(victim.server.requests).toHaveLength(2);
      await expectUsable(victim);
    });

  it.each(HEARTBEATS)("%s for ever is given up, and is asked again", BROAD, async (_case, turn) => {
    const victim = await openVictim([turn, says("Here.")], {}, { stall_ms: 1_000 });

    const reply = await besides(() => ask(victim));

    expect(reply).toMatchObject({ status: "completed", message: { content: [{ text: "Here." }] } });
    await victim.server.abandoned;
    await expectUsable(victim);
  });

  it("a wait of years is given up", BROAD, async () => {
    const turn: FakeTurn = (stream) => stream.fail(429, "later", { "retry-after": "999999999" });
    const victim = await openVictim([turn, says("Here.")]);

    const reply = await besides(() => ask(victim));

    expect(reply).toMatchObject({ status: "error", error: { type: "rate_limit" } });
    expect(victim.server.requests).toHaveLength(1);
    await expectUsable(victim);
  });
});

describe("a model that makes thousands of calls", BROAD, () => {
  it.each([
    ["in one event", 4_000],
    ["one by one", 1],
  ])("%s has the first ones refused, and is told of the others", async (_case, atOnce) => {
    const victim = await openVictim([makesCalls(4_000, atOnce), says("Here.")]);

    const { status, message } = await besides(() => ask(victim));

    const count = (type: string) => message.content.filter((block) => block.type === type).length;
    expect(status).toBe("completed");
    expect([count("tool_call"), count("tool_result"), count("hint")]).toEqual([
      MAX_TURN_CALLS,
      MAX_TURN_CALLS,
      1,
    ]);
    const sent = victim.server.requests[1]?.body as { messages: { role: string }[] };
    expect(sent.messages.slice(1).map(({ role }) => role)).toEqual([
      "assistant",
      ...Array<string>(MAX_TURN_CALLS).fill("tool"),
      "user",
    ]);
    await expectUsable(victim);
  });

  it("with a name of three million letters keeps its session", async () => {
    const turn: FakeTurn = (stream) => {
      stream.delta({ tool_calls: [toolCall(0, "{}", "n".repeat(3_000_000))] });
      stream.finish("tool_calls");
      stream.done();
    };
    const victim = await openVictim([turn, says("Here.")]);

    const { message } = await besides(() => ask(victim));

    expect(message.content[0]).toMatchObject({ type: "tool_call", name: "n".repeat(256) });
    await expectUsable(victim);
  });
});

describe("a model that says it has read nine quadrillion tokens", BROAD, () => {
  it("is not believed, and what it says later is counted", async () => {
    const turn: FakeTurn = (stream) => {
      stream.text("Here.");
      stream.usage(9e15, 9e15, 9e15);
      stream.done();
    };
    const victim = await openVictim([turn, says("Here.")], { budget: { max_tokens: 1_000 } });

    const { message } = await besides(() => ask(victim));
    await ask(victim);

    expect(message.usage).toMatchObject({
      input_tokens: 0,
      output_tokens: 0,
      cache_input_tokens: 0,
    });
    await expect
      .poll(async () => (await request("GET", "/v1/usage", { key: victim.key })).body["data"])
      .toMatchObject([{ replies: 2, input_tokens: 10, output_tokens: 1 }]);
  });
});
