// The running platform behind connections that are cut.
import type { RepriseAgent } from "@reprise/sdk/ag-ui";
import { describe, expect, inject, it, onTestFinished } from "vitest";

import { BROAD, sampled, seeds, walkFrom } from "../support/breadth.ts";
import { randomFates, startCuttingProxy, type Fate } from "../support/cutting-proxy.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { openAgUiDesk, PRINT_LABEL } from "./ag-ui-desk.ts";
import { eventsOf, expectNoWarnings } from "./ag-ui-stage.ts";

expectNoWarnings();

const desk = await openAgUiDesk({ shared_state: { enabled: true } });

const SCRIPT = [
  "/think Let me see, wörd by wörd.",
  '/call lookup_order {"order_id":"A-1001"}',
  "/say Found it. 👋",
  '/call update_shared_state {"patch":[{"op":"add","path":"/found","value":["A-1001"]}]}',
  "/say Noted.",
  '/call refund_order {"order_id":"A-1001"}',
  '/call print_label {"order_id":"A-1001"}',
  "/say All of it is done.",
].join("\n");

type Parameters = NonNullable<globalThis.Parameters<RepriseAgent["runAgent"]>[0]>;

/** One run, with what the client had before it and has after it. */
interface RecordedRun {
  readonly parameters: Parameters;
  readonly before: Held;
  readonly after: Held;
  readonly events: readonly object[];
}

interface Held {
  readonly messages: RepriseAgent["messages"];
  readonly state: unknown;
  readonly pendingInterrupts: RepriseAgent["pendingInterrupts"];
}

function heldBy({ messages, state, pendingInterrupts }: RepriseAgent): Held {
  return structuredClone({ messages, state, pendingInterrupts });
}

/** A refund that is asked about, allowed, and labelled by the client: three runs over a connection that holds. */
async function record(threadId: string): Promise<readonly RecordedRun[]> {
  const agent = desk.agentOf({ threadId, initialState: { cart: 1 } });
  const runs: RecordedRun[] = [];
  const run = async (more: Parameters) => {
    const before = heldBy(agent);
    const seen = eventsOf(agent);
    const parameters = { runId: `run-${runs.length + 1}`, tools: [PRINT_LABEL], ...more };
    await agent.runAgent(parameters);
    agent.subscribers = [];
    runs.push({ parameters, before, after: heldBy(agent), events: seen });
  };
  agent.addMessage({ id: "m-1", role: "user", content: SCRIPT });
  await run({});
  const [interrupt] = agent.pendingInterrupts;
  const payload = { approved: true, editedArgs: { order_id: "A-1002" } };
  await run({ resume: [{ interruptId: interrupt?.id ?? "", status: "resolved", payload }] });
  const call = agent.messages
    .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
    .find((one) => one.function.name === "print_label");
  const content = "RETURN-1002";
  agent.addMessage({ id: "m-2", role: "tool", toolCallId: call?.id ?? "", content });
  await run({});
  expect(agent.state).toEqual({ cart: 1, found: ["A-1001"] });
  expect(runs.map(({ events }) => events.at(-1))).toMatchObject([
    { type: "RUN_FINISHED", outcome: { type: "interrupt" } },
    { type: "RUN_FINISHED", outcome: { type: "success", pendingToolCallIds: [call?.id] } },
    { type: "RUN_FINISHED", outcome: { type: "success" } },
  ]);
  return runs;
}

async function proxyWith(deal: (connection: number) => Fate): Promise<string> {
  const proxy = await startCuttingProxy(inject("baseUrl"), deal);
  onTestFinished(() => proxy.stop());
  return proxy.url;
}

/** The first connection is cut behind these frames, the second one inside of its second frame; all others hold. */
function cutTwice(afterFrames: number): (connection: number) => Fate {
  return (connection) => {
    if (connection === 0) return { kind: "cut", afterFrames, afterBytes: 0 };
    return connection === 1 ? { kind: "cut", afterFrames: 1, afterBytes: 70 } : { kind: "pass" };
  };
}

/** The same request again is the same run: it is read by an agent that has what the first one had. */
async function readAgain(threadId: string, run: RecordedRun, baseUrl: string) {
  const { messages, pendingInterrupts, state } = run.before;
  const agent = desk.agentOf({
    threadId,
    baseUrl,
    initialMessages: messages,
    initialState: state,
  });
  agent.pendingInterrupts = pendingInterrupts;
  const events = eventsOf(agent);
  await agent.runAgent(run.parameters);
  return { events, after: heldBy(agent) };
}

describe("a run that was recorded", BROAD, () => {
  it.each([0, 1, 2])(
    "is the same over a cut behind each frame and one inside of a frame after it (run %i)",
    async (index) => {
      const threadId = `cuts of run ${index}`;
      const run = (await record(threadId))[index];
      if (!run) throw new Error("the story has fewer runs");
      const { events, after } = run;

      // One more frame tells how long to wait before the next try.
      for (const frames of walkFrom(0, events.length + 1)) {
        const baseUrl = await proxyWith(cutTwice(frames));
        const read = await readAgain(threadId, run, baseUrl);
        expect({ frames, ...read }).toEqual({ frames, events, after });
      }
    },
  );
});

describe("a run over connections that are cut all the time", () => {
  for (const [rows, breadth] of sampled(seeds(6), 1))
    it.each(rows)("arrives whole, and begins once (seed %i)", breadth, async (seed) => {
      const random = seededRandom(seed);
      const baseUrl = await proxyWith(randomFates(random, { cuts: 30, maxBytes: 4_000 }));
      const session = await desk.openSession();
      const agent = desk.agentOf({ baseUrl, sessionId: session.id, maxRetries: 30 });
      const events = eventsOf(agent);
      const content = '/think Hm.\n/rate 400\n/call lookup_order {"order_id":"A-1001"}\n/words 80';
      agent.addMessage({ id: "m-1", role: "user", content });

      await agent.runAgent();

      const direct = desk.agentOf({ sessionId: session.id });
      await direct.connectAgent();
      expect(agent.messages).toEqual(direct.messages);
      expect(events.filter(({ type }) => type === "RUN_STARTED")).toHaveLength(1);
      const { data } = await session.replies.list().page();
      expect(data.map(({ status }) => status)).toEqual(["completed"]);
    });
});

describe("a thread that is joined while its reply runs", () => {
  const places = Array.from({ length: 16 }, (_, frames) => frames);
  for (const [rows, breadth] of sampled(places, 1))
    it.each(rows)("is the same when the join is cut behind %i frames", breadth, async (frames) => {
      const session = await desk.openSession();
      await session.replies.create("/rate 150\n/think One, two.\n/say Three.\n/words 30", {
        background: true,
      });
      const baseUrl = await proxyWith(cutTwice(frames));
      const agent = desk.agentOf({ baseUrl, sessionId: session.id });

      await agent.connectAgent();

      const direct = desk.agentOf({ sessionId: session.id });
      await direct.connectAgent();
      expect(agent.messages).toEqual(direct.messages);
      expect((await session.get()).status).toBe("idle");
    });
});
