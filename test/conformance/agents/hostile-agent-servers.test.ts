// Servers of agents in code that lie, hang, flood and die: the reply ends with an error that says so, or goes on by the model.
import { expect, it } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { calls, says, streams, type TurnAnswer } from "../../support/agent-server.ts";
import { endedReply } from "../../support/ended-reply.ts";
import { openServed } from "../../support/open-served.ts";

const INVALID = {
  status: "error",
  error: { type: "unknown", message: "The server of this agent gave no valid answer." },
};

const LIES: readonly (readonly [claim: string, answer: unknown])[] = [
  [
    "a result that nobody asked for",
    { events: [{ type: "TOOL_RESULT_START", tool_call_id: "c" }] },
  ],
  ["an approval of its own", { events: [{ type: "USER_CONFIRM_RESULT", confirm_results: [] }] }],
  ["an interrupt", { events: [{ type: "USER_INTERRUPT" }] }],
  ["a question in the platform's name", { events: [{ type: "REQUIRE_USER_CONFIRM" }] }],
  ["an event that is null", { events: [null] }],
  ["an event without a type", { events: [{ delta: "x" }] }],
  ["events that are no list", { events: { 0: "x" } }],
  ["a delta that is null", { events: [{ type: "TEXT_BLOCK_DELTA", block_id: "b", delta: null }] }],
  ["a call without a name", { events: [{ type: "TOOL_CALL_START", tool_call_id: "c" }] }],
  ["a call without an id", { events: [{ type: "TOOL_CALL_START", tool_call_name: "x" }] }],
  ["input of a call that has not begun", { events: calls("x", {}).slice(1) }],
  ["a call that begins twice", { events: [...calls("x", {}), ...calls("x", {})] }],
  ["a next that there is not", { events: [], next: "everything" }],
  ["a next that is a list", { next: ["end"] }],
  ["a document that is no turn", { hello: "world" }],
  [
    "media that runs scripts",
    {
      events: [
        { type: "DATA_BLOCK_DELTA", block_id: "d", media_type: "image/svg+xml", data: "PHN2Zy8+" },
      ],
    },
  ],
  [
    "media that begins again and again, and never is",
    {
      events: many(300, (n) => ({
        type: "DATA_BLOCK_START",
        block_id: `${n}`,
        media_type: "image/png",
      })),
    },
  ],
  [
    "media at an address",
    {
      events: [
        {
          type: "DATA_BLOCK_DELTA",
          block_id: "d",
          media_type: "image/png",
          url: "https://a.example/",
        },
      ],
    },
  ],
];

for (const [rows, options] of sampled(LIES, 4, "each")) {
  it.each(rows)(
    "%s ends the reply with an error, and is not asked for again",
    options,
    async (_, answer) => {
      const { say, server } = await openServed(() => answer as object);
      const reply = await say("Go.");

      expect(reply).toMatchObject(INVALID);
      expect(server.asked).toHaveLength(1);
    },
  );
}

it("ids of others, and events that nobody knows, change nothing: blocks and calls get the platform's", async () => {
  const { say } = await openServed(({ message }) =>
    message === null
      ? {
          events: [
            { type: "REPLY_END", reply_id: "other", finished_reason: "error", error: null },
            { type: "CUSTOM", name: "state_updated", value: { state: {} } },
            { type: "MADE_UP", deep: [[[null]]] },
            ...calls("no_such_tool", { a: 1 }, "__proto__"),
          ],
        }
      : { events: says("Done.", "rep_other") },
  );
  const { status, message } = await say("Go.");

  expect(status).toBe("completed");
  expect(message?.content).toMatchObject([
    { type: "tool_call", id: expect.stringMatching(/^call_/), name: "no_such_tool" },
    { type: "tool_result", state: "error" },
    { type: "text", id: expect.stringMatching(/^blk_/), text: "Done." },
  ]);
});

it.each([
  ["a redirect", 302, "setup", 1],
  ["an unknown address", 404, "setup", 1],
  ["a refused credential", 401, "authentication", 1],
  ["a refusal", 422, "invalid_request", 1],
] as const)("%s is an error of the set-up, with one request", async (_, status, type, count) => {
  const { say, server } = await openServed(() => (response) => {
    response.writeHead(status, { location: "http://127.0.0.1:1/" }).end();
  });
  const reply = await say("Go.");

  expect(reply).toMatchObject({ status: "error", error: { type } });
  expect(server.asked).toHaveLength(count);
});

it(
  "a failure that may pass is tried again under the same id, and then ends the reply",
  BROAD,
  async () => {
    const { say, server } = await openServed(
      () => (response) => void response.writeHead(503).end(),
    );
    const reply = await say("Go.");

    expect(reply).toMatchObject({ status: "error", error: { type: "upstream" } });
    expect(server.asked).toHaveLength(4);
    expect(new Set(server.asked.map(({ id }) => id)).size).toBe(1);
  },
);

const HANGS: readonly (readonly [string, TurnAnswer])[] = [
  ["says nothing", () => new Promise(() => {})],
  ["sends headers and nothing more", (response) => response.writeHead(200).flushHeaders()],
  [
    "sends a byte now and then",
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(":"), 20);
      response.on("close", () => clearInterval(timer));
    },
  ],
  [
    "speaks without an end",
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const [, delta] = says("x");
      const timer = setInterval(() => response.write(`data: ${JSON.stringify(delta)}\n\n`), 20);
      response.on("close", () => clearInterval(timer));
    },
  ],
];

it.each(HANGS)("a server that %s is given up after its time, and asked once", async (_, answer) => {
  const { say, server } = await openServed(() => answer, { code_agent: { timeout_ms: 300 } });
  const reply = await say("Go.");

  expect(reply).toMatchObject({
    status: "error",
    error: { type: "unknown", message: "The server of this agent did not answer in time." },
  });
  expect(server.asked).toHaveLength(1);
});

it("with `open` a server that fails leaves the reply to the model loop, and what it said is taken back", async () => {
  const { say, server } = await openServed(
    () => streams([...says("Half"), { events: [{ type: "TOOL_RESULT_END" }] }]),
    { code_agent: { on_failure: "open" } },
  );
  const { status, message } = await say(
    `/call lookup_order {"order_id":"A-1001"}\n/say From the model.`,
  );

  expect(status).toBe("completed");
  expect(message?.content.map(({ type }) => type)).toEqual(["tool_call", "tool_result", "text"]);
  expect(server.asked).toHaveLength(1);
});

function many<Item>(count: number, item: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

it("a flood of blocks and of calls ends within the bounds of a turn", async () => {
  const blocks = await openServed(() => ({
    events: many(5_000, (index) => says("x", `b${index}`)).flat(),
  }));
  const called = await openServed(({ message }) =>
    message === null
      ? { events: many(2_000, (index) => calls("x", {}, `c${index}`)).flat() }
      : { events: says("Done.") },
  );
  const [spent, bounded] = await Promise.all([blocks, called].map(({ say }) => say("Go.")));

  expect(spent).toMatchObject({ status: "error", error: { type: "output_limit" } });
  expect(bounded).toMatchObject({ status: "completed" });
  expect(bounded?.message?.content.filter(({ type }) => type === "tool_call")).toHaveLength(128);
});

it("a flood of events that nobody knows ends, as a stream and as one document", BROAD, async () => {
  const unknown = await openServed(() =>
    streams(
      many(300, () => `data: ${JSON.stringify({ events: many(900, () => ({ type: "X" })) })}\n\n`),
    ),
  );
  const wide = await openServed(() => ({ events: many(120_000, () => ({ type: "X" })) }));
  const [cut, refused] = await Promise.all([unknown, wide].map(({ say }) => say("Go.")));

  // Without its last frame the stream is cut off.
  expect(cut).toMatchObject({ status: "error", error: { type: "connection" } });
  expect(refused).toMatchObject({ status: "error", error: { type: "upstream" } });
});

it("an interrupt ends a turn at once, and what its server said takes no tokens", async () => {
  const { say, ask, server } = await openServed(() => (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of says("Half a word")) response.write(`data: ${JSON.stringify(event)}\n\n`);
  });
  const running = await say("Go.", { background: true });
  await expect.poll(() => server.asked.length).toBe(1);
  await ask("POST", "/interrupt");
  const ended = await endedReply(
    async () => (await ask<Reply>("GET", `/replies/${running.id}`)).body,
  );

  expect(ended).toMatchObject({
    status: "interrupted",
    message: { usage: { input_tokens: 0, output_tokens: 0 } },
  });
});
