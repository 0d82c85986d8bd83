import { inspect } from "node:util";

import { RepriseAgent } from "@reprise/sdk/ag-ui";
import { describe, expect, it } from "vitest";

import {
  expectNoWarnings,
  HELLO,
  HELLO_MESSAGE,
  helloFrom,
  helloUntil,
  startAgent,
} from "./ag-ui-stage.ts";
import { json, refuse } from "./stage.ts";

expectNoWarnings();

describe("an agent", () => {
  it("that is aborted stops reading, and tells the run's end as the protocol's client does", async () => {
    const { agent, requests, events } = await startAgent([
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(HELLO.slice(0, 3).join(""));
      },
    ]);
    agent.subscribe({ onTextMessageContentEvent: () => agent.abortRun() });

    await agent.runAgent();

    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "abort" });
    expect(requests).toHaveLength(1);
  });

  it("that is aborted while it waits for another try resolves", async () => {
    const { agent, events } = await startAgent([
      helloUntil(3),
      refuse(503, { "retry-after": "60" }),
    ]);
    agent.subscribe({
      onTextMessageContentEvent: () => void setTimeout(() => agent.abortRun(), 50),
    });

    await agent.runAgent();

    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "abort" });
  });

  it("that joins is aborted by a controller that it was given before", async () => {
    const { agent, requests, events } = await startAgent([
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(HELLO.slice(0, 3).join(""));
      },
    ]);
    const controller = new AbortController();
    agent.abortController = controller;
    agent.subscribe({ onTextMessageContentEvent: () => controller.abort() });

    await agent.connectAgent();

    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "abort" });
    expect(requests).toHaveLength(1);
  });

  it("that is asked for the next run while one is shown reads both", async () => {
    const next = [
      ...HELLO.join("")
        .replaceAll("b1", "b2")
        .matchAll(/[^]+?\n\n/g),
    ].map(([frame]) => frame);
    const { agent, requests } = await startAgent([
      helloFrom(0),
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(next.slice(0, 3).join(""));
        // The first run is over for good by then.
        void first.then(() => response.end(next.slice(3).join("")));
      },
    ]);
    let second: Promise<unknown> = Promise.resolve();
    const first = agent.runAgent(
      {},
      {
        onRunFinishedEvent: async () => {
          second = agent.runAgent();
          while (requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
        },
      },
    );

    await first;
    await second;

    expect(agent.messages.at(-1)).toMatchObject({ id: "b2", content: "Hello" });
  });

  it("that lets go of its run leaves no connection open", async () => {
    let isClosed: Promise<void> | undefined;
    const { agent, events } = await startAgent([
      (response) => {
        isClosed = new Promise((resolve) => response.once("close", resolve));
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(HELLO.slice(0, 3).join(""));
      },
    ]);
    const seen = new Promise<void>((resolve) => {
      agent.subscribe({ onTextMessageContentEvent: () => resolve() });
    });
    const run = agent.runAgent();
    await seen;

    await agent.detachActiveRun();
    await run;

    await isClosed;
    expect(events).toHaveLength(3);
  });

  it("that is cloned runs on its own, with headers and a thread of its own", async () => {
    const { agent, requests } = await startAgent([helloFrom(0)]);
    const clone = agent.clone();
    clone.threadId = "shop 2";
    clone.headers["x-tab"] = "2";

    await clone.runAgent();

    expect(clone).toBeInstanceOf(RepriseAgent);
    expect(requests[0]?.body).toMatchObject({ threadId: "shop 2" });
    expect(requests[0]?.headers["x-tab"]).toBe("2");
    expect([agent.messages, agent.headers]).toEqual([[], {}]);
    expect(clone.messages).toEqual([HELLO_MESSAGE]);
  });

  it("is not made without a credential, or with two names for its thread", () => {
    const options = { baseUrl: "http://client.invalid", agentId: "agt_1" };

    expect(() => new RepriseAgent(options)).toThrow(TypeError);
    expect(
      () => new RepriseAgent({ ...options, apiKey: "k", threadId: "a", sessionId: "ses_b" }),
    ).toThrow(TypeError);
    expect(() => new RepriseAgent({ ...options, apiKey: "k", agentId: "" })).toThrow(TypeError);
  });

  it("does not show its credential to who looks at it, nor does its clone", async () => {
    const { agent } = await startAgent([helloFrom(0)]);

    const shown = inspect([agent, agent.clone()], { depth: Infinity, showHidden: true });

    expect(shown).toContain("agt_1");
    expect(shown).not.toContain("rk_test_x");
  });

  it("asks what the platform's agent can do", async () => {
    const capabilities = { identity: { name: "Desk" }, transport: { streaming: true } };
    const { agent, requests } = await startAgent([json(200, capabilities)]);

    expect(await agent.getCapabilities()).toEqual(capabilities);
    expect(requests[0]?.path).toBe("/v1/agents/agt_1/ag-ui/capabilities");
  });
});
