// The real client of AG-UI, which knows no way back of its own, behind connections that are cut: what it holds after it
// has come back is what it holds without a cut.
import { describe, expect, it, onTestFinished } from "vitest";

import { expectNoWarnings } from "../../sdk/ag-ui-stage.ts";
import { inCallOrder } from "../../support/ag-ui-client.ts";
import { startFakeOpenAi, type FakeStream, type FakeTurn } from "../../support/fake-openai.ts";
import { openRequest } from "../../support/platform-client.ts";
import { heldBy, openThreadDesk, play, type Held } from "./thread-desk.ts";
import type { Resume, WatchedAgent } from "./watched-agent.ts";

expectNoWarnings();

const desk = await openThreadDesk({ shared_state: { enabled: true } });

const SCRIPT = [
  "/think Let me see, wörd by wörd.",
  "/say I look both up. 👋",
  '/call lookup_order {"order_id":"A-1001"}',
  '/call lookup_order {"order_id":"A-1002"}',
  '/call update_shared_state {"patch":[{"op":"add","path":"/found","value":["A-1001"]}]}',
  "/say A refund, then.",
  '/call refund_order {"order_id":"A-1001"}',
  '/call print_label {"order_id":"A-1001"}',
  "/think Nearly.",
  "/say All of it is done.",
].join("\n");

interface RecordedRun {
  /** The request's. */
  readonly body: string;
  readonly before: Held;
  readonly after: Held;
  /** The answer's frames, each with its empty line. */
  readonly frames: readonly string[];
}

/** A refund that is asked about and allowed, and a message more: three runs over a connection that holds. */
async function record(threadId: string): Promise<readonly RecordedRun[]> {
  let body = "";
  const client = desk.client({
    threadId,
    initialState: { cart: 1 },
    fetch: (url, init) => {
      body = typeof init.body === "string" ? init.body : "";
      return fetch(url, init);
    },
  });
  const runs: RecordedRun[] = [];
  const keep = async (run: () => Promise<unknown>) => {
    const before = heldBy(client.agent);
    await run();
    const frames = client.received.split(/(?<=\n\n)/).filter((frame) => frame.startsWith("id:"));
    runs.push({ body, before, after: heldBy(client.agent), frames });
  };
  client.agent.addMessage({ id: "m-1", role: "user", content: SCRIPT });
  await keep(() => client.run());
  await keep(() => client.run({ resume: answersTo(client) }));
  client.agent.addMessage({ id: "m-2", role: "user", content: "/say You are welcome." });
  await keep(() => client.run());
  return runs;
}

/** The refund is allowed, and the label printed. */
function answersTo({ agent }: WatchedAgent): Resume {
  return agent.pendingInterrupts.map(({ id, reason }) => {
    const payload = reason === "tool_call" ? { approved: true } : "RETURN-1001";
    return { interruptId: id, status: "resolved", payload };
  });
}

/** The run's answer, cut behind so many frames, and what is sent to whoever then asks from its last frame on. */
async function readCut({ body, frames }: RecordedRun, count: number): Promise<string> {
  const response = await desk.post(JSON.parse(body) as object);
  let head = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    head += text;
    if (framesOf(head).length >= count) break;
  }
  const seen = framesOf(head).slice(0, count);
  expect(seen).toEqual(frames.slice(0, count));
  const id = /^id: (.+)$/m.exec(seen.at(-1) ?? "")?.[1];
  const headers = id === undefined ? {} : { "last-event-id": id };
  const rest = await desk.post(JSON.parse(body) as object, headers as Record<string, string>);
  return seen.join("") + (await rest.text());
}

/** Whole frames, without what comes between them. */
function framesOf(text: string): string[] {
  return text
    .split(/(?<=\n\n)/)
    .filter((frame) => frame.startsWith("id:") && frame.endsWith("\n\n"));
}

/** The state that snapshots and streams have in common: the order of results that came beside each other is not. */
function settled({ messages, state, pendingInterrupts }: Held): Held {
  return { messages: inCallOrder(messages), state, pendingInterrupts };
}

describe("C15: a run that was recorded", () => {
  it.each([0, 1, 2])(
    "C15: cut behind each frame and taken up from there, is the run (run %i)",
    async (index) => {
      const run = (await record(`cursor ${index}`))[index]!;
      for (let count = 0; count <= run.frames.length; count += 1) {
        const text = await readCut(run, count);
        expect(framesOf(text)).toEqual(run.frames);
        expect({ count, ...(await play(text, run.before)) }).toEqual({ count, ...run.after });
      }
    },
  );

  it("C15: cut behind each frame and joined, leaves the client with the thread", async () => {
    const runs = await record("joined");
    const final = settled(runs.at(-1)!.after);
    for (const { frames, before } of runs) {
      for (let count = 0; count <= frames.length; count += 1) {
        const cut = await play(frames.slice(0, count).join(""), before);
        const { frames: _, ...held } = await desk.join("joined", { before: cut });
        expect({ count, ...settled(held) }).toEqual({ count, ...final });
      }
    }
  });

  it("C15: cut behind each frame and simply run again, is held as without the cut", async () => {
    const content = SCRIPT.replaceAll(/^.call (?:refund|print).*\n/gm, "");
    const length = await forEachCut("run again", async ({ client, cutNextBehind }, count) => {
      client.agent.addMessage({ id: "m-1", role: "user", content });
      cutNextBehind(count);
      await client.agent.runAgent();
      const frames = framesOf(client.received);
      await client.run();
      return frames.length;
    });
    expect(length).toBeGreaterThan(30);
  });

  it("C15: cut behind each frame of what follows an answer, and answered again, is held as without", async () => {
    const length = await forEachCut("answered again", async ({ client, cutNextBehind }, count) => {
      client.agent.addMessage({ id: "m-1", role: "user", content: SCRIPT });
      await client.run();
      const resume = answersTo(client);
      cutNextBehind(count);
      await client.agent.runAgent({ resume });
      const frames = framesOf(client.received);
      expect(client.agent.pendingInterrupts).toHaveLength(2);
      await client.run({ resume });
      return frames.length;
    });
    expect(length).toBeGreaterThan(10);
  });

  it("C15: cut behind each frame of what follows a page's result, and run again, is held as without", async () => {
    const tools = [{ name: "open_page", description: "Opens a page.", parameters: {} }];
    const content = "/say I open it.\n/call open_page {}\n/think Open.\n/say There you are.";
    const length = await forEachCut("page", async ({ client, cutNextBehind }, count) => {
      client.agent.addMessage({ id: "m-1", role: "user", content });
      const { pendingToolCallIds } = await client.run({ tools });
      const [toolCallId = ""] = pendingToolCallIds;
      client.agent.addMessage({ id: "m-2", role: "tool", toolCallId, content: "It is open." });
      cutNextBehind(count);
      await client.agent.runAgent({ tools });
      const frames = framesOf(client.received);
      await client.run({ tools });
      return frames.length;
    });
    expect(length).toBeGreaterThan(10);
  });
});

interface CuttableClient {
  readonly client: WatchedAgent;
  readonly cutNextBehind: (frames: number) => void;
}

/**
 * Plays a story in a thread of its own for each place at which one of its runs can be cut, and holds what its client has
 * at the end against the thread. @returns How many frames that run has.
 */
async function forEachCut(
  name: string,
  play: (client: CuttableClient, count: number) => Promise<number>,
): Promise<number> {
  let length = Infinity;
  for (let count = 0; count < length; count += 1) {
    const threadId = `${name} ${count}`;
    let left = Infinity;
    const client = desk.client({
      threadId,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const frames = framesOf(await response.text());
        // The number of frames of a run depends on which deltas are merged: its last one is cut off in any case.
        if (left !== Infinity) {
          length = frames.length;
          left = Math.min(left, length - 1);
        }
        const shown = frames.slice(0, left);
        left = Infinity;
        return new Response(shown.join(""), response);
      },
    });
    const seen = await play({ client, cutNextBehind: (frames) => (left = frames) }, count);
    expect(seen).toBe(Math.min(count, length - 1));
    const { frames: _, ...joined } = await desk.join(threadId);
    expect({ count, ...settled(heldBy(client.agent)) }).toEqual({ count, ...settled(joined) });
  }
  return length;
}

/** A client that came in the middle of it. */
interface Joiner {
  /** State that the client held when it was cut. */
  readonly before: Held;
  readonly text: Promise<string>;
}

/** One thing that a provider says, and the last words of it as they are in a frame. */
type Step = readonly [say: (stream: FakeStream) => void, words: string];

const ARGUMENTS =
  (part: string, index: number, more: object = {}) =>
  (stream: FakeStream) =>
    stream.calls({ index, arguments: part, ...more });

const TURNS: readonly (readonly Step[])[] = [
  [
    [(stream) => stream.delta({ reasoning_content: "Let " }), "Let "],
    [(stream) => stream.delta({ reasoning_content: "me see." }), "me see."],
    [(stream) => stream.text("I "), '"I "'],
    [(stream) => stream.text("look."), "look."],
    [ARGUMENTS('{"order', 0, { id: "call_a", name: "lookup_order" }), '{\\"order'],
    [ARGUMENTS('_id":"A-1', 0), '_id\\":\\"A-1'],
    [ARGUMENTS('001"}', 0), '001\\"}'],
    [ARGUMENTS('{"order_id":"', 1, { id: "call_b", name: "lookup_order" }), '"call_b","delta"'],
    [ARGUMENTS('A-1002"}', 1), 'A-1002\\"}'],
  ],
  [
    [(stream) => stream.delta({ reasoning_content: "Both there." }), "Both there."],
    [(stream) => stream.text("Found "), "Found "],
    [(stream) => stream.text("both."), "both."],
    [ARGUMENTS('{"order_id":', 0, { id: "call_c", name: "refund_order" }), '"call_c","delta"'],
    [ARGUMENTS('"A-1003"}', 0), 'A-1003\\"}'],
  ],
  [
    [(stream) => stream.text("That is "), "That is "],
    [(stream) => stream.text("done."), "done."],
  ],
];

describe("C15: a run that goes on", () => {
  it("C15: joined after each word of thoughts, texts and calls, is held as by a client that was there", async () => {
    const joiners: Joiner[] = [];
    let client: WatchedAgent | null = null;
    const turn =
      (steps: readonly Step[], reason: string): FakeTurn =>
      async (stream) => {
        stream.delta({ role: "assistant", content: "" });
        for (const [say, words] of steps) {
          say(stream);
          if (client) joiners.push(await joinAt(client, words));
        }
        stream.finish(reason);
        stream.usage(10, 5);
        stream.done();
      };
    const model = await startFakeOpenAi(
      ...TURNS.map((steps, index) => turn(steps, index < 2 ? "tool_calls" : "stop")),
    );
    onTestFinished(() => model.stop());
    const openAi = { provider: "openai", name: "gpt-fake", base_url: model.baseUrl };
    const live = await openThreadDesk({ model: openAi });
    client = live.client();
    const joinAt = async ({ received, agent }: WatchedAgent, words: string): Promise<Joiner> => {
      while (!client!.received.includes(words)) await new Promise((go) => setTimeout(go, 2));
      const before = await play(framesOf(client!.received).join(""), { messages: initial });
      const path = `/v1/agents/${live.agentId}/ag-ui?thread_id=${agent.threadId}`;
      const response = await openRequest("GET", path, { key: live.key });
      expect(received).toBeDefined();
      return { before, text: response.text() };
    };
    let initial: Held["messages"] = [];

    const asked = client.say("Refund A-1003 and look up the others.");
    initial = structuredClone(client.agent.messages);
    await asked;
    const parked = heldBy(client.agent);
    const early = joiners.splice(0);
    initial = parked.messages;
    await client.answerAll({ approved: true });
    const ended = heldBy(client.agent);

    expect([early.length, joiners.length]).toEqual([14, 2]);
    for (const [held, group] of [
      [parked, early],
      [ended, joiners],
    ] as const) {
      for (const { before, text } of group) {
        expect(settled(await play(await text, before))).toEqual(settled(held));
        expect(settled(await play(await text))).toEqual(settled(held));
      }
    }
  });
});
