// The adapter of an agent of another system, where its reply was lost, or the agent could not be reached.
import { expect, it, onTestFinished } from "vitest";

import type { FailureReport, ModelReporter } from "../../../agent/failure-report.ts";
import type { ModelChunk } from "../../../agent/ports.ts";
import { createModel } from "../../../model/create-model.ts";
import type { RemoteConversation } from "../../../protocol/a2a/remote-conversation.ts";
import { UserMsg } from "../../../protocol/messages/constructors.ts";
import { ModelDefinitionSchema } from "../../../protocol/models/contract.ts";
import { startSdkAgent, type Play } from "../../support/a2a-remote/sdk-agent.ts";
import { startLoopbackServer } from "../../support/loopback-server.ts";

const REPLY = "rep_01kaj2vh1k4n7q1s5v9x3z6b0d";

interface Played {
  readonly chunks: readonly ModelChunk[];
  /** For diagnostics. */
  readonly failures: readonly FailureReport[];
  readonly state: RemoteConversation | null;
}

/** One model call. @param before What the log has of the conversation. */
async function call(
  url: string,
  before: RemoteConversation | null = null,
  {
    isReply = true,
    isOver = false,
    stop = new AbortController().signal,
    onText = (): void => undefined,
  } = {},
): Promise<Played> {
  let state = before;
  const definition = ModelDefinitionSchema.parse({ provider: "a2a", card: { url } });
  const remote = {
    reply_id: REPLY,
    read: () => state,
    isOver: () => isOver,
    depth: 0,
  };
  const model = createModel(definition, {
    outgoing: fetch,
    secrets: () => ({ ok: false, type: "setup", problem: "is none" }),
    decideTurn: () => ({ parts: [] }),
    ...(isReply && { remote }),
  });
  const messages = [{ ...UserMsg("user", "Hello"), id: "msg_1" }];
  const request = { system_prompt: "Ours.", messages, tools: [] };
  const chunks: ModelChunk[] = [];
  const failures: FailureReport[] = [];
  const report: ModelReporter = (found) => {
    if ("failure" in found) failures.push(found.failure);
  };
  for await (const chunk of model.stream(request, stop, report)) {
    if (chunk.remote) state = chunk.remote;
    else chunks.push(chunk);
    if (chunk.text) onText();
  }
  return { chunks, failures, state };
}

async function start(play: Play) {
  const agent = await startSdkAgent(play);
  onTestFinished(() => agent.stop());
  return agent;
}

const ANSWER: Play = (turn) => {
  turn.task();
  turn.artifact("a", [{ text: "Hello back." }]);
  turn.status("TASK_STATE_COMPLETED");
};

it("says what it sends before it leaves, and which task came of it", async () => {
  const agent = await start(ANSWER);
  const { chunks, state } = await call(agent.url);

  expect(chunks).toEqual([{ text: "Hello back." }]);
  expect(state).toEqual({
    reply_id: REPLY,
    author: expect.stringMatching(/^[0-9a-f]{8}$/),
    sends: 1,
    sent_through: "msg_1",
    answered_call: null,
    context_id: expect.any(String),
    task_id: expect.any(String),
    is_waiting: false,
  });
});

it("follows the task of a reply whose machine was lost, and sends nothing again", async () => {
  const agent = await start(ANSWER);
  const { state } = await call(agent.url);
  const again = await call(agent.url, state);

  expect(again.chunks).toEqual([{ text: "Hello back." }]);
  expect(agent.methods().filter((method) => method.startsWith("Send"))).toHaveLength(1);
});

it("sends nothing again that may have arrived, where no task was named", async () => {
  const agent = await start(ANSWER);
  const { state } = await call(agent.url);
  const lost = state && { ...state, task_id: null };
  const { chunks } = await call(agent.url, lost);

  expect(chunks).toMatchObject([{ error: { type: "unknown", message: /not sent again/ } }]);
  expect(agent.methods()).toHaveLength(1);
});

it("does not repeat a message whose connection breaks before a task is named", async () => {
  let sent = 0;
  const agent = await start(ANSWER);
  const server = await startLoopbackServer(({ method }, response) => {
    if (method === "GET") {
      const interfaces = [{ url: server.url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
      response.end(JSON.stringify({ ...agent.card, supportedInterfaces: interfaces }));
      return;
    }
    sent += 1;
    response.destroy();
  });
  onTestFinished(() => server.stop());
  const { chunks, state } = await call(server.url);

  expect(chunks.map(({ error }) => error?.type)).toEqual(["unknown"]);
  expect([sent, state?.sent_through]).toEqual([1, "msg_1"]);
});

it("takes the mark back when the agent has refused the message, so that it can be tried again", async () => {
  const agent = await start(ANSWER);
  const server = await startLoopbackServer(({ method }, response) => {
    const interfaces = [{ url: server.url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
    if (method === "GET") {
      response.end(JSON.stringify({ ...agent.card, supportedInterfaces: interfaces }));
      return;
    }
    response.writeHead(429, { "content-type": "application/json" });
    response.end("{}");
  });
  onTestFinished(() => server.stop());
  const { chunks, state } = await call(server.url);

  expect(chunks.map(({ error }) => error?.type)).toEqual(["rate_limit"]);
  expect(state?.sent_through).toBeNull();
});

it.each([
  ["cancels the task of a reply that was interrupted", true, 1],
  ["leaves the task to the execution that takes the reply over", false, 0],
])("%s", async (_, isOver, cancelled) => {
  const stop = new AbortController();
  const agent = await start((turn) => {
    turn.task();
    turn.artifact("a", [{ text: "Hello" }]);
    return new Promise(() => {});
  });
  const onText = () => stop.abort();
  await call(agent.url, null, { isOver, stop: stop.signal, onText });

  await expect.poll(() => agent.cancelled.length).toBe(cancelled);
});

it("tells its words at a failure to diagnostics alone, without what looks like a secret", async () => {
  const agent = await start((turn) => {
    turn.task();
    turn.status("TASK_STATE_FAILED", [{ text: "No luck with Bearer abcdefghijklmnop0123456789" }]);
  });
  const { chunks, failures } = await call(agent.url);

  expect(chunks).toEqual([
    { error: { type: "unknown", message: "The agent of another system failed." } },
  ]);
  expect(failures[0]?.message).toMatch(/^No luck with /);
  expect(failures[0]?.message).not.toContain("abcdefghijklmnop0123456789");
});

it("gives replies alone", async () => {
  const agent = await start(ANSWER);
  const { chunks } = await call(agent.url, null, { isReply: false });

  expect(chunks).toMatchObject([{ error: { message: /writes no summaries/ } }]);
  expect(agent.requests).toEqual([]);
});
