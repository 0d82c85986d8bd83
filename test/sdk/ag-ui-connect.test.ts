import { describe, expect, it } from "vitest";

import {
  agUiFrame,
  expectNoWarnings,
  HELLO,
  HELLO_MESSAGE,
  helloFrom,
  helloUntil,
  JOINED,
  PRELUDE,
  REST,
  startAgent,
} from "./ag-ui-stage.ts";
import { failure, json, refuse, stream, type Scene } from "./stage.ts";

expectNoWarnings();

const JOIN = "GET /v1/agents/agt_1/ag-ui?thread_id=shop%201";
const RUN = { threadId: "shop 1", runId: "run-1" };
const NOTHING_NEW: Scene = (response) => void response.writeHead(204).end();

function lines(requests: readonly { readonly method: string; readonly path: string }[]): string[] {
  return requests.map(({ method, path }) => `${method} ${path}`);
}

describe("an agent that comes back with nothing", () => {
  it("is told how things stand, and reads on", async () => {
    const { agent, requests, events } = await startAgent([
      stream([...PRELUDE, ...REST].join("")),
      NOTHING_NEW,
    ]);

    const { newMessages } = await agent.connectAgent();

    expect(agent.messages).toEqual(JOINED);
    expect(newMessages).toEqual(JOINED);
    expect(agent.state).toEqual({ cart: 1 });
    expect(events).toHaveLength(PRELUDE.length + REST.length);
    expect(lines(requests)).toEqual([JOIN, `${JOIN}&after=15.1`]);
  });

  it("finds a thread without a session empty", async () => {
    const { agent, events } = await startAgent([NOTHING_NEW]);

    expect(await agent.connectAgent()).toEqual({ result: undefined, newMessages: [] });
    expect([agent.messages, events]).toEqual([[], []]);
  });

  it("is refused a session that does not exist", async () => {
    const body = { code: "not_found", detail: "no", request_id: "req_1" };
    const { agent } = await startAgent([json(404, body)], { threadId: "ses_none" });

    expect(await failure(agent.connectAgent())).toMatchObject({ status: 404, code: "not_found" });
  });

  const cuts = PRELUDE.map((_, index) => index + 1);
  it.each(cuts)("is told anew when it was cut after %i frames of that", async (count) => {
    const cutShort = stream(PRELUDE.slice(0, count).join(""), { isCut: true });
    const whole = stream([...PRELUDE, ...REST].join(""));
    const { agent, requests, events } = await startAgent([
      cutShort,
      refuse(503),
      cutShort,
      whole,
      NOTHING_NEW,
    ]);

    await agent.connectAgent();

    expect(agent.messages).toEqual(JOINED);
    expect(events.filter(({ type }) => type === "RUN_STARTED")).toHaveLength(1);
    expect(lines(requests)).toEqual([JOIN, JOIN, JOIN, JOIN, `${JOIN}&after=15.1`]);
  });

  it("is told of what ended meanwhile when it was cut", async () => {
    const cutShort = stream(PRELUDE.join(""), { isCut: true });
    const ended = [
      agUiFrame("15.1", "RUN_STARTED", RUN),
      agUiFrame("15.1", "MESSAGES_SNAPSHOT", { messages: JOINED }),
      agUiFrame("15.1", "RUN_FINISHED", { ...RUN, outcome: { type: "success" } }),
    ];
    const { agent } = await startAgent([cutShort, stream(ended.join("")), NOTHING_NEW]);

    await agent.connectAgent();

    expect(agent.messages).toEqual(JOINED);
  });

  it.each(REST.map((_, index) => index + 1))(
    "goes on with the next frame when it was cut %i frames later",
    async (count) => {
      const { agent, requests, events } = await startAgent([
        stream([...PRELUDE, ...REST.slice(0, count)].join(""), { isCut: true }),
        count === REST.length ? NOTHING_NEW : stream(REST.slice(count).join("")),
        NOTHING_NEW,
      ]);

      await agent.connectAgent();

      const [, id] = /^id: (.+)$/m.exec(REST[count - 1] ?? "") ?? [];
      expect(lines(requests)[1]).toBe(`${JOIN}&after=${id}`);
      expect(agent.messages).toEqual(JOINED);
      expect(events).toHaveLength(PRELUDE.length + REST.length);
    },
  );
});

describe("an agent that has seen a run to its end", () => {
  const INTERRUPT = { id: "rep_1:c1", reason: "tool_call", toolCallId: "c1" };
  const ASKING = [
    agUiFrame("1.1", "RUN_STARTED", RUN),
    agUiFrame("3.1", "RUN_FINISHED", {
      ...RUN,
      outcome: { type: "interrupt", interrupts: [INTERRUPT] },
    }),
  ].join("");

  it("asks for what came after it, and for nothing twice", async () => {
    const other = [
      agUiFrame("11.1", "RUN_STARTED", {
        threadId: "shop 1",
        runId: "run-2",
        input: {
          threadId: "shop 1",
          runId: "run-2",
          messages: [{ id: "m2", role: "user", content: "From another tab" }],
          tools: [],
          context: [],
        },
      }),
      agUiFrame("12.1", "RUN_FINISHED", { ...RUN, outcome: { type: "success" } }),
    ].join("");
    const { agent, requests } = await startAgent([helloFrom(0), stream(other), NOTHING_NEW]);

    await agent.runAgent();
    await agent.connectAgent();
    await agent.connectAgent();

    expect(lines(requests)).toEqual([
      "POST /v1/agents/agt_1/ag-ui",
      `${JOIN}&after=10.1`,
      `${JOIN}&after=12.1`,
      `${JOIN}&after=12.1`,
    ]);
    expect(agent.messages).toEqual([
      HELLO_MESSAGE,
      { id: "m2", role: "user", content: "From another tab" },
    ]);
  });

  it("keeps interrupts that nobody has answered", async () => {
    const { agent, requests } = await startAgent([stream(ASKING), NOTHING_NEW]);
    agent.addMessage({ id: "m1", role: "user", content: "Refund" });

    await agent.runAgent();
    await agent.connectAgent();

    expect(agent.pendingInterrupts).toEqual([INTERRUPT]);
    expect(lines(requests)[1]).toBe(`${JOIN}&after=3.1`);
  });

  it("learns that somebody else has answered", async () => {
    const { agent } = await startAgent([stream(ASKING), helloFrom(0), NOTHING_NEW]);
    agent.addMessage({ id: "m1", role: "user", content: "Refund" });

    await agent.runAgent();
    const { newMessages } = await agent.connectAgent();

    expect([agent.pendingInterrupts, newMessages]).toEqual([[], [HELLO_MESSAGE]]);
  });

  it.each([
    [
      "its messages",
      (agent: Agent) => agent.setMessages([{ ...HELLO_MESSAGE, role: "assistant" }]),
    ],
    ["its state", (agent: Agent) => agent.setState({})],
    ["all it had", (agent: Agent) => void (agent.messages = [])],
  ])("is told how things stand when the app has replaced %s", async (_, replace) => {
    const { agent, requests } = await startAgent([helloFrom(0), NOTHING_NEW]);
    await agent.runAgent();

    replace(agent);
    await agent.connectAgent();

    expect(lines(requests)[1]).toBe(JOIN);
  });

  it("is told how things stand in another thread", async () => {
    const { agent, requests } = await startAgent([helloFrom(0), NOTHING_NEW]);
    await agent.runAgent();

    agent.threadId = "shop 2";
    await agent.connectAgent();

    expect(lines(requests)[1]).toBe("GET /v1/agents/agt_1/ag-ui?thread_id=shop%202");
  });

  it("has a clone that stands where it stood", async () => {
    const { agent, requests } = await startAgent([helloFrom(0), NOTHING_NEW]);
    await agent.runAgent();

    await agent.clone().connectAgent();

    expect(lines(requests)[1]).toBe(`${JOIN}&after=10.1`);
  });
});

describe("an agent that has not", () => {
  it("is told how things stand after an abort, and reads on", async () => {
    const { agent, requests } = await startAgent([
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(HELLO.slice(0, 3).join(""));
      },
      stream([...PRELUDE, ...REST].join("")),
      NOTHING_NEW,
    ]);
    const { unsubscribe } = agent.subscribe({ onTextMessageContentEvent: () => agent.abortRun() });
    await agent.runAgent();
    unsubscribe();

    await agent.connectAgent();

    expect(lines(requests)[1]).toBe(JOIN);
    expect(agent.messages.find(({ id }) => id === "b1")).toEqual(JOINED[2]);
  });

  it("is told how things stand after a failure", async () => {
    const gone = json(404, { code: "not_found", detail: "no", request_id: "req_1" });
    const { agent, requests } = await startAgent([helloUntil(3), gone, NOTHING_NEW]);
    await failure(agent.runAgent());

    await agent.connectAgent();

    expect(lines(requests)[2]).toBe(JOIN);
  });
});

describe("an interrupt", () => {
  const RESULT = { interrupted: true };

  function answering(headers: Record<string, string>): Scene {
    return (response) => {
      response.writeHead(200, { "content-type": "text/event-stream", ...headers });
      response.end(HELLO.join(""));
    };
  }

  it("ends the reply of the session that the platform has named", async () => {
    const { agent, requests } = await startAgent([
      answering({ "reprise-session-id": "ses_9" }),
      json(200, RESULT),
    ]);
    await agent.runAgent();

    expect(agent.sessionId).toBe("ses_9");
    expect(await agent.interrupt({ queued: "drop" })).toEqual(RESULT);
    expect(lines(requests)[1]).toBe("POST /v1/sessions/ses_9/interrupt?queued=drop");
  });

  it("asks for the session of a thread that it has not seen", async () => {
    const { agent, requests } = await startAgent([
      answering({ "reprise-session-id": "ses_9" }),
      json(200, RESULT),
    ]);

    expect(await agent.interrupt()).toEqual(RESULT);
    expect(lines(requests)).toEqual([JOIN, "POST /v1/sessions/ses_9/interrupt"]);
  });

  it("needs no question where the thread is a session", async () => {
    const { agent, requests } = await startAgent([json(200, RESULT)], {
      threadId: undefined,
      sessionId: "ses_7",
    });

    expect(await agent.interrupt()).toEqual(RESULT);
    expect(lines(requests)).toEqual(["POST /v1/sessions/ses_7/interrupt"]);
  });

  it("has nothing to end in a thread without a session", async () => {
    const { agent } = await startAgent([NOTHING_NEW]);

    expect(await agent.interrupt()).toBeNull();
  });
});

type Agent = Awaited<ReturnType<typeof startAgent>>["agent"];
