// The agent against the running platform.
import { describe, expect, it } from "vitest";

import { ApiError } from "../../sdk/index.ts";
import { openAgUiDesk, PRINT_LABEL } from "./ag-ui-desk.ts";
import { eventsOf, expectNoWarnings } from "./ag-ui-stage.ts";
import { failure } from "./stage.ts";

expectNoWarnings();

const desk = await openAgUiDesk();

const REFUND = '/call refund_order {"order_id":"A-1001"}\n/say Done.';
const LONG = "/rate 50\n/words 20000";

function user(content: string, id = "m-1") {
  return { id, role: "user" as const, content };
}

describe("an agent with a thread of the app's own name", () => {
  it("opens the session with the first run, and another one finds it", async () => {
    const agent = desk.agentOf({ threadId: "cart 7" });
    await agent.connectAgent();
    const early = [agent.sessionId, [...agent.messages]];
    agent.addMessage(user("/say Hello."));

    await agent.runAgent();

    const other = desk.agentOf({ threadId: "cart 7" });
    await other.connectAgent();
    expect(early).toEqual([null, []]);
    expect(agent.messages.map(({ role, content }) => [role, content])).toEqual([
      ["user", "/say Hello."],
      ["assistant", "Hello."],
    ]);
    expect(other.messages).toEqual(agent.messages);
    expect([agent.sessionId, other.sessionId]).toEqual([
      expect.stringMatching(/^ses_/),
      agent.sessionId,
    ]);
  });

  it("asks for what came after its last run, and gets it", async () => {
    const agent = desk.agentOf({ threadId: "two tabs" });
    agent.addMessage(user("/say One."));
    await agent.runAgent();
    const other = desk.agentOf({ threadId: "two tabs" });
    await other.connectAgent();
    other.addMessage(user("/say Two.", "m-2"));
    await other.runAgent();
    const events = eventsOf(agent);

    await agent.connectAgent();
    await agent.connectAgent();

    expect(agent.messages).toEqual(other.messages);
    const starts = events.filter(({ type }) => type === "RUN_STARTED");
    expect(events.filter(({ type }) => String(type) === "MESSAGES_SNAPSHOT")).toEqual([]);
    expect(starts).toEqual([expect.objectContaining({ threadId: "two tabs" })]);
  });

  it("is run again with nothing new, and holds what it held", async () => {
    const agent = desk.agentOf({ threadId: "run twice" });
    agent.addMessage(user("/think Hm.\n/say Hello."));
    await agent.runAgent();
    const held = structuredClone(agent.messages);
    const events = eventsOf(agent);

    await agent.runAgent();
    await agent.connectAgent();

    expect(agent.messages).toEqual(held);
    expect(events.map(({ type }) => type)).toEqual([
      "RUN_STARTED",
      "MESSAGES_SNAPSHOT",
      "RUN_FINISHED",
    ]);
  });

  it("is told what it can expect", async () => {
    const capabilities = await desk.agentOf().getCapabilities();

    expect(capabilities.transport).toMatchObject({ streaming: true, resumable: true });
    expect(capabilities.tools).toMatchObject({ supported: true, clientProvided: true });
  });
});

describe("a reply", () => {
  it("goes on when its run is aborted, is taken up again, and ended", async () => {
    const session = await desk.openSession();
    const agent = desk.agentOf({ sessionId: session.id });
    agent.addMessage(user(LONG));
    const { unsubscribe } = agent.subscribe({ onTextMessageContentEvent: () => agent.abortRun() });
    await agent.runAgent();
    unsubscribe();
    const { status } = await session.get();
    const events = eventsOf(agent);
    const taken = new Promise<void>((resolve) => {
      agent.subscribe({ onTextMessageContentEvent: () => resolve() });
    });

    const joined = agent.connectAgent();
    await taken;
    const interrupted = await agent.interrupt();
    await joined;

    const { data } = await session.replies.list().page();
    expect([status, data.map((reply) => reply.status)]).toEqual(["running", ["interrupted"]]);
    expect(interrupted).not.toBeNull();
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "cancelled" } });
    const fresh = desk.agentOf({ sessionId: session.id });
    await fresh.connectAgent();
    expect(agent.messages).toEqual(fresh.messages);
  });

  it("that runs refuses another one, with the code of both clients", async () => {
    const session = await desk.openSession();
    await session.replies.create(LONG, { background: true });
    const agent = desk.agentOf({ sessionId: session.id });
    agent.addMessage(user("/say Hello."));

    const error = await failure(agent.runAgent());

    await session.interrupt();
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 409,
      code: "reply_running",
      payload: { code: "reply_running" },
    });
  });
});

describe("an interrupt", () => {
  it("that somebody else has answered is gone when the agent has looked", async () => {
    const session = await desk.openSession();
    const agent = desk.agentOf({ sessionId: session.id });
    agent.addMessage(user(REFUND));
    await agent.runAgent();
    const [open] = agent.pendingInterrupts;
    await agent.connectAgent();
    const stillOpen = agent.pendingInterrupts.map(({ id }) => id);
    await session.confirm(await session.get());

    await agent.connectAgent();

    expect(stillOpen).toEqual([open?.id]);
    expect(agent.pendingInterrupts).toEqual([]);
    expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Done." });
  });

  it("that somebody else has answered the same way is answered by what came of it", async () => {
    const session = await desk.openSession();
    const agent = desk.agentOf({ sessionId: session.id });
    agent.addMessage(user(REFUND));
    await agent.runAgent();
    const resume = agent.pendingInterrupts.map(({ id }) => {
      return { interruptId: id, status: "resolved" as const, payload: { approved: true } };
    });
    await session.confirm(await session.get());

    await agent.runAgent({ resume });

    const fresh = desk.agentOf({ sessionId: session.id });
    await fresh.connectAgent();
    expect(agent.messages).toEqual(fresh.messages);
    expect((await session.replies.list().page()).data).toHaveLength(1);
  });
});

describe("a call of the client's own tool", () => {
  it("is found by another agent that joins, and its result ends the reply", async () => {
    const session = await desk.openSession();
    const agent = desk.agentOf({ sessionId: session.id });
    agent.addMessage(user("/call print_label {}\n/say End."));
    await agent.runAgent({ tools: [PRINT_LABEL] });
    const other = desk.agentOf({ sessionId: session.id });
    let pending: readonly string[] = [];
    await other.connectAgent(
      {},
      {
        onRunFinishedEvent: (run) => {
          if (run.outcome === "success") pending = run.pendingToolCallIds;
        },
      },
    );
    const [toolCallId = ""] = pending;
    other.addMessage({ id: "r-1", role: "tool", toolCallId, content: "printed" });

    await other.runAgent({ tools: [PRINT_LABEL] });
    await agent.connectAgent();

    expect(other.messages.slice(2)).toMatchObject([
      { id: "r-1", role: "tool", content: "printed" },
      { role: "assistant", content: "End." },
    ]);
    expect(agent.messages).toEqual(other.messages);
  });
});

describe("a client token", () => {
  it("runs, answers and prints in the session that it is for", async () => {
    const session = await desk.openSession();
    const token = async () => {
      const verbs = ["read", "reply", "confirm", "tool_result"] as const;
      return (await session.tokens.create({ verbs: [...verbs] })).token;
    };
    const agent = desk.agentOf({ apiKey: undefined, token, sessionId: session.id });
    const tools = [PRINT_LABEL];
    agent.addMessage(
      user('/call refund_order {"order_id":"A-1001"}\n/call print_label {}\n/say End.'),
    );
    await agent.runAgent({ tools });
    const resume = agent.pendingInterrupts.map(({ id }) => {
      return { interruptId: id, status: "resolved" as const, payload: { approved: true } };
    });

    let pending: readonly string[] = [];
    await agent.runAgent(
      { tools, resume },
      {
        onRunFinishedEvent: (run) => {
          if (run.outcome === "success") pending = run.pendingToolCallIds;
        },
      },
    );
    const results = pending.map((toolCallId, index) => {
      return { id: `r-${index}`, role: "tool" as const, toolCallId, content: "printed" };
    });
    agent.addMessages(results);
    await agent.runAgent({ tools });

    expect(results).toHaveLength(1);
    expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "End." });
  });

  it("opens no other thread", async () => {
    const session = await desk.openSession();
    const { token } = await session.tokens.create({ verbs: ["read", "reply"] });
    const agent = desk.agentOf({ apiKey: undefined, token, threadId: "another one" });
    agent.addMessage(user("/say Hello."));

    expect(await failure(agent.runAgent())).toMatchObject({ status: 404 });
  });
});
