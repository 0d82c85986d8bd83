import { describe, expect, it } from "vitest";

import { ApiError, ConnectionError } from "../../sdk/index.ts";
import {
  agUiFrame,
  expectNoWarnings,
  HELLO,
  HELLO_MESSAGE,
  helloFrom,
  helloUntil,
  startAgent,
} from "./ag-ui-stage.ts";
import { cut, failure, json, refuse, stream } from "./stage.ts";

expectNoWarnings();

const JOIN = "/v1/agents/agt_1/ag-ui?thread_id=shop%201";

function problem(status: number, code: string, headers: Record<string, string> = {}) {
  return json(status, { code, detail: "no", status, request_id: "req_1" }, headers);
}

describe("a run", () => {
  it("is the protocol's request with the credential, and its answer", async () => {
    const { agent, requests, events } = await startAgent([helloFrom(0)]);
    agent.addMessage({ id: "m1", role: "user", content: "Hi" });

    const { newMessages } = await agent.runAgent({ runId: "run-1" });

    expect(
      requests.map(({ method, path, headers }) => [method, path, headers.authorization]),
    ).toEqual([["POST", "/v1/agents/agt_1/ag-ui", "Bearer rk_test_x"]]);
    expect(requests[0]?.body).toEqual({
      threadId: "shop 1",
      runId: "run-1",
      protocolVersion: "1.0",
      messages: [{ id: "m1", role: "user", content: "Hi" }],
      state: {},
      tools: [],
      context: [],
      forwardedProps: {},
    });
    expect(events.map(({ type }) => type)).toEqual(
      HELLO.map((frame) => /^event: (.+)$/m.exec(frame)?.[1]),
    );
    expect(newMessages).toEqual([HELLO_MESSAGE]);
  });

  it("that is cut after its first frame is asked for again", async () => {
    const { agent, requests, events } = await startAgent([helloUntil(1), helloFrom(0)]);

    await agent.runAgent({ runId: "run-1" });

    expect(events).toHaveLength(HELLO.length);
    expect(agent.messages).toEqual([HELLO_MESSAGE]);
    expect(requests.map(({ method }) => method)).toEqual(["POST", "POST"]);
    expect(requests[1]?.body).toEqual(requests[0]?.body);
  });

  it.each(HELLO.map((_, index) => index).slice(2))(
    "that is cut after %i frames goes on with the next one",
    async (count) => {
      const { agent, requests, events } = await startAgent([helloUntil(count), helloFrom(count)]);

      await agent.runAgent({ runId: "run-1" });

      expect(events).toHaveLength(HELLO.length);
      expect(agent.messages).toEqual([HELLO_MESSAGE]);
      const [, id] = /^id: (.+)$/m.exec(HELLO[count - 1] ?? "") ?? [];
      expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
        "POST /v1/agents/agt_1/ag-ui",
        `GET ${JOIN}&after=${id}`,
      ]);
    },
  );

  it("drops half a frame, and frames that it has", async () => {
    const half = stream(HELLO.slice(0, 3).join("") + HELLO[3].slice(0, -10), { isCut: true });
    const { agent, events } = await startAgent([half, helloFrom(1)]);

    await agent.runAgent();

    expect(events).toHaveLength(HELLO.length);
    expect(agent.messages).toEqual([HELLO_MESSAGE]);
  });

  it("ends with its last frame, whatever else the stream brings", async () => {
    const next = agUiFrame("11.1", "RUN_STARTED", { threadId: "shop 1", runId: "run-2" });
    const { agent, events } = await startAgent([stream(HELLO.join("") + next)]);

    await agent.runAgent();

    expect(events.at(-1)?.type).toBe("RUN_FINISHED");
  });

  it("keeps its names when it goes on from the log, which may have others", async () => {
    const names = { threadId: "ses_9", runId: "rep_1" };
    const end = agUiFrame("10.1", "RUN_FINISHED", { ...names, outcome: { type: "cancelled" } });
    const { agent, events } = await startAgent([helloUntil(5), stream(end)]);

    await agent.runAgent({ runId: "run-1" });

    expect(events.at(-1)).toEqual({
      type: "RUN_FINISHED",
      threadId: "shop 1",
      runId: "run-1",
      outcome: { type: "cancelled" },
    });
  });

  it("whose answer never came is asked for again in the same words", async () => {
    const { agent, requests, events } = await startAgent([cut, refuse(503), helloFrom(0)]);
    agent.addMessage({ id: "m1", role: "user", content: "Hi" });

    await agent.runAgent();

    expect(events).toHaveLength(HELLO.length);
    expect(requests.map(({ method }) => method)).toEqual(["POST", "POST", "POST"]);
    expect(new Set(requests.map(({ text }) => text)).size).toBe(1);
  });

  it("waits as long as the platform asks", async () => {
    const { agent, requests } = await startAgent([
      helloUntil(2),
      refuse(503, { "retry-after": "1" }),
      helloFrom(2),
    ]);

    await agent.runAgent();

    const [, refused, retried] = requests.map(({ atMs }) => atMs);
    expect((retried ?? 0) - (refused ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it("counts a silent connection as lost", async () => {
    const { agent, events } = await startAgent(
      [
        (response) => {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(HELLO.slice(0, 2).join(""));
        },
        helloFrom(2),
      ],
      { reconnect: { firstDelayMs: 2, maxDelayMs: 5, stallMs: 1_000 } },
    );

    await agent.runAgent();

    expect(events).toHaveLength(HELLO.length);
  });

  it("that the platform refuses in the conversation's own words begins once, over a cut too", async () => {
    const started = agUiFrame("12", "RUN_STARTED", { threadId: "shop 1", runId: "run-1" });
    const refused = agUiFrame("12", "RUN_ERROR", {
      message: "answer first",
      code: "interrupts_open",
    });
    const { agent, requests, events } = await startAgent([
      stream(started, { isCut: true }),
      stream(started + refused),
    ]);

    await agent.runAgent();

    expect(requests.map(({ method }) => method)).toEqual(["POST", "POST"]);
    expect(events).toEqual([
      { type: "RUN_STARTED", threadId: "shop 1", runId: "run-1" },
      { type: "RUN_ERROR", message: "answer first", code: "interrupts_open" },
    ]);
  });

  it("brings the hashes of what its answers are about", async () => {
    const { agent, requests } = await startAgent([helloFrom(0)]);
    const asked = (id: string, metadata?: Record<string, unknown>) => {
      return { id, reason: "tool_call", toolCallId: id, metadata };
    };
    agent.pendingInterrupts = [
      asked("c1", { agentscope: { kind: "user_confirm", inputHash: "sha256:1" } }),
      asked("c2", { agentscope: { inputHash: "sha256:2" } }),
      asked("c3"),
    ];
    const answer = (interruptId: string, metadata?: Record<string, unknown>) => {
      return { interruptId, status: "cancelled" as const, metadata };
    };
    const own = { agentscope: { inputHash: "sha256:own" } };

    await agent.runAgent({
      resume: [answer("c1", { app: 1 }), answer("c2", own), answer("c3")],
    });

    expect(requests[0]?.body).toMatchObject({
      resume: [
        {
          interruptId: "c1",
          status: "cancelled",
          metadata: { app: 1, agentscope: { inputHash: "sha256:1" } },
        },
        { interruptId: "c2", status: "cancelled", metadata: own },
        { interruptId: "c3", status: "cancelled" },
      ],
    });
  });

  it("tells how the connection is", async () => {
    const states: string[] = [];
    const { agent } = await startAgent([helloUntil(3), refuse(503), helloFrom(3)], {
      onConnectionChange: (state) => states.push(state),
    });

    await agent.runAgent();

    expect(states).toEqual(["connecting", "open", "reconnecting", "open", "closed"]);
  });

  it("asks for a fresh token when the one that it has is no longer taken", async () => {
    const tokens = ["old", "new"];
    const { agent, requests } = await startAgent([problem(401, "unauthenticated"), helloFrom(0)], {
      apiKey: undefined,
      token: () => tokens.shift() ?? "none",
    });

    await agent.runAgent();

    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer old",
      "Bearer new",
    ]);
  });

  it("takes the agent's headers along, but for the credential", async () => {
    const { agent, requests } = await startAgent([helloUntil(2), helloFrom(2)], {
      headers: { "X-Shop": "first" },
    });
    agent.headers = { "x-shop": "second", authorization: "Bearer somebody" };

    await agent.runAgent();

    expect(requests.map(({ headers }) => [headers["x-shop"], headers.authorization])).toEqual([
      ["second", "Bearer rk_test_x"],
      ["second", "Bearer rk_test_x"],
    ]);
  });
});

describe("a run that fails", () => {
  it("rejects with the platform's refusal, as both clients say it", async () => {
    const { agent, requests } = await startAgent([problem(409, "reply_running")]);
    const failures: Error[] = [];
    agent.subscribe({ onRunFailed: ({ error }) => void failures.push(error) });

    const error = await failure(agent.runAgent());

    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 409,
      code: "reply_running",
      payload: { code: "reply_running", detail: "no" },
    });
    expect(failures).toEqual([error]);
    expect(requests).toHaveLength(1);
  });

  it("rejects when its session is gone before its end", async () => {
    const { agent } = await startAgent([helloUntil(3), problem(404, "not_found")]);

    expect(await failure(agent.runAgent())).toMatchObject({ status: 404, code: "not_found" });
  });

  it("rejects with a ConnectionError when nobody was to be reached", async () => {
    const { agent, requests } = await startAgent([cut], { maxRetries: 2 });

    expect(await failure(agent.runAgent())).toBeInstanceOf(ConnectionError);
    expect(requests).toHaveLength(3);
  });

  it("rejects with a ConnectionError when it was cut and nobody came back", async () => {
    const { agent, events } = await startAgent([helloUntil(4), cut], {
      reconnect: { firstDelayMs: 2, maxDelayMs: 5, giveUpAfterMs: 500 },
    });

    expect(await failure(agent.runAgent())).toBeInstanceOf(ConnectionError);
    expect(events).toHaveLength(4);
    expect(agent.isRunning).toBe(false);
  });

  it("rejects with a ConnectionError when its streams stay empty", async () => {
    const { agent, events } = await startAgent([stream("")], {
      reconnect: { firstDelayMs: 2, maxDelayMs: 5, giveUpAfterMs: 500 },
    });

    expect(await failure(agent.runAgent())).toBeInstanceOf(ConnectionError);
    expect(events).toEqual([]);
  });

  it("is not sent when an interrupt has no answer", async () => {
    const { agent, requests } = await startAgent([helloFrom(0)]);
    agent.pendingInterrupts = [{ id: "rep_1:c1", reason: "tool_call", toolCallId: "c1" }];

    expect(String(await failure(agent.runAgent()))).toContain("rep_1:c1");
    expect(requests).toEqual([]);
  });
});
