// Runs with an older parent: the platform answers from a fork, which is a thread of its own.
import type { RunAgentInput } from "@ag-ui/client";
import type { RepriseAgent } from "@reprise/sdk/ag-ui";
import { describe, expect, inject, it, onTestFinished } from "vitest";

import { startCuttingProxy, type Fate } from "../support/cutting-proxy.ts";
import { openAgUiDesk } from "./ag-ui-desk.ts";
import { agUiFrame, eventsOf, expectNoWarnings, startAgent } from "./ag-ui-stage.ts";
import { stream, type Scene } from "./stage.ts";

expectNoWarnings();

const AT = { threadId: "ses_fork", runId: "run-3" };
const BRANCH = [
  agUiFrame("4.1", "RUN_STARTED", { ...AT, parentRunId: "run-1" }),
  agUiFrame("6.1", "TEXT_MESSAGE_START", { messageId: "b1", role: "assistant" }),
  agUiFrame("7.1", "TEXT_MESSAGE_CONTENT", { messageId: "b1", delta: "Hel" }),
  agUiFrame("8.1", "TEXT_MESSAGE_CONTENT", { messageId: "b1", delta: "lo" }),
  agUiFrame("9.1", "TEXT_MESSAGE_END", { messageId: "b1" }),
  agUiFrame("10.1", "RUN_FINISHED", { ...AT, outcome: { type: "success" } }),
];

const JOIN = "/v1/agents/agt_1/ag-ui?thread_id=";

function inFork(text: string, isCut = false): Scene {
  return (response, request) => {
    response.setHeader("reprise-session-id", "ses_fork");
    stream(text, { isCut })(response, request);
  };
}

/** Runs with a parent, as an app does that lets its user edit an older message. */
function branchFrom(agent: RepriseAgent, parentRunId: string): void {
  agent.use((input: RunAgentInput, next) => next.run({ ...input, parentRunId }));
}

describe("a run in a fork", () => {
  it("that is cut goes on in the fork, and its frames name that thread to the end", async () => {
    const { agent, requests, events } = await startAgent([
      inFork(BRANCH.slice(0, 3).join(""), true),
      inFork(BRANCH.slice(3).join("")),
    ]);
    branchFrom(agent, "run-1");

    await agent.runAgent({ runId: "run-3" });

    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /v1/agents/agt_1/ag-ui",
      `GET ${JOIN}ses_fork&after=7.1`,
    ]);
    expect(agent.messages).toEqual([{ id: "b1", role: "assistant", content: "Hello" }]);
    expect([events[0], events.at(-1)]).toMatchObject([AT, AT]);
  });

  it("is what is interrupted, and leaves no position in the agent's own thread", async () => {
    const interrupted: Scene = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end("{}");
    };
    const nothing: Scene = (response) => void response.writeHead(204).end();
    const { agent, requests } = await startAgent([inFork(BRANCH.join("")), interrupted, nothing]);
    branchFrom(agent, "run-1");

    await agent.runAgent({ runId: "run-3" });
    await agent.interrupt();
    await agent.connectAgent();

    expect(requests.slice(1).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /v1/sessions/ses_fork/interrupt",
      `GET ${JOIN}shop%201`,
    ]);
    expect(agent.sessionId).toBeNull();
  });

  it("is read whole through connections that are cut, though the own thread went on", async () => {
    const desk = await openAgUiDesk();
    const threadId = crypto.randomUUID();
    const first = desk.agentOf({ threadId });
    for (const name of ["1", "2"]) {
      first.addMessage({ id: `m${name}`, role: "user", content: `/say answer ${name}` });
      await first.runAgent({ runId: `run-${name}` });
    }
    const fates: Fate[] = [5, 1, 1].map((afterFrames) => {
      return { kind: "cut", afterFrames, afterBytes: 0 };
    });
    const proxy = await startCuttingProxy(inject("baseUrl"), (connection) => {
      return fates[connection] ?? { kind: "pass" };
    });
    onTestFinished(() => proxy.stop());

    const agent = desk.agentOf({ threadId, baseUrl: proxy.url });
    agent.setMessages(first.messages.slice(0, 2));
    agent.addMessage({ id: "m3", role: "user", content: "/rate 60\n/words 30" });
    branchFrom(agent, "run-1");
    const events = eventsOf(agent);
    await agent.runAgent({ runId: "run-3" });

    const { threadId: fork } = events[0] as unknown as { threadId: string };
    const whole = desk.agentOf({ threadId: fork });
    await whole.connectAgent();
    expect(agent.messages).toEqual(whole.messages);
    expect(agent.messages.map(({ id }) => id).slice(0, 3)).toEqual([
      ...first.messages.slice(0, 2).map(({ id }) => id),
      "m3",
    ]);
    expect(proxy.fates.length).toBeGreaterThan(fates.length);
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "run-3" });
  });
});
