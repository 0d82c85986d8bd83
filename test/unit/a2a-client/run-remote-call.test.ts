// One call of an agent of another system over several executions, with what is kept between them.
import { expect, onTestFinished, test } from "vitest";

import type { ToolCallRequest, ToolChunk } from "../../../agent/ports.ts";
import type { KeptRemoteCall, RemoteCalls } from "../../../tools/a2a/remote-calls.ts";
import { runRemoteCall } from "../../../tools/a2a/run-remote-call.ts";
import { openClient } from "../../support/a2a-remote/open-client.ts";
import { startSdkAgent, type Play } from "../../support/a2a-remote/sdk-agent.ts";

const REQUEST: ToolCallRequest = {
  tool_call_id: "call_1",
  name: "play",
  input: { message: "Go" },
  session_id: "ses_1",
  reply_id: "rep_1",
  end_user_id: null,
};

async function open(play: Play, known: KeptRemoteCall | null = null) {
  const agent = await startSdkAgent(play);
  onTestFinished(() => agent.stop());
  let kept = known;
  const port: RemoteCalls = {
    depth: 0,
    kept: () => kept,
    keep: (_, call) => {
      kept = call;
    },
  };
  async function run(about: Partial<ToolCallRequest> = {}, remote: RemoteCalls | null = port) {
    const client = openClient(agent.card);
    const stop = new AbortController().signal;
    const request = { ...REQUEST, ...about };
    const chunks: ToolChunk[] = [];
    const call = { client, request, remote, answerMs: 1_000, stop, silenceMs: 300 };
    for await (const chunk of runRemoteCall(call)) chunks.push(chunk);
    return chunks;
  }
  return { agent, run, kept: () => kept };
}

const textOf = (chunks: readonly ToolChunk[]): string =>
  chunks.map((chunk) => (chunk.type === "text" ? chunk.delta : "")).join("");

test("a task that is silent is left, and its call goes on with what is new", async () => {
  const gate = Promise.withResolvers<void>();
  const { agent, run, kept } = await open(async (turn) => {
    turn.task();
    turn.artifact("a", [{ text: "Begun, " }]);
    await gate.promise;
    turn.artifact("a", [{ text: "and done." }], { append: true });
    turn.status("TASK_STATE_COMPLETED");
  });

  const first = await run();
  gate.resolve();
  await expect
    .poll(async () => {
      const id = kept()?.task?.id ?? "";
      const read = await openClient(agent.card).getTask(id, {
        signal: new AbortController().signal,
      });
      return read.ok && read.value.status.state;
    })
    .toBe("TASK_STATE_COMPLETED");
  const written = [
    { type: "text", text: "Begun, ", id: "blk_1", created_at: "", finished_at: null },
  ] as const;
  const second = await run({ hasTask: true, written: [...written] });

  expect(first.map(({ type }) => type)).toEqual(["text", "task"]);
  expect(first.at(-1)).toMatchObject({ task: { server: "Played agent", status: "working" } });
  expect(kept()).toMatchObject({
    isSent: true,
    task: { server_id: "play", remote: { questions: [] } },
  });
  expect([textOf(first), textOf(second), second.at(-1)]).toEqual([
    "Begun, ",
    "and done.",
    expect.objectContaining({ type: "end", state: "success" }),
  ]);
  expect(agent.methods().filter((method) => method === "SendStreamingMessage")).toHaveLength(1);
});

test("a message that was sent by a machine that is lost is not sent again", async () => {
  const { agent, run } = await open((turn) => turn.reply("Hello"), { isSent: true });

  const chunks = await run();

  expect(textOf(chunks)).toContain("the outcome is unknown");
  expect([chunks.at(-1), agent.requests]).toEqual([
    { type: "end", state: "error", isWithoutResult: true },
    [],
  ]);
});

test("what is asked where nobody can be asked cancels the task", async () => {
  const { agent, run } = await open((turn) => {
    turn.task();
    turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Which order?" }]);
  });

  const chunks = await run({}, null);

  expect(textOf(chunks)).toContain("needs an answer of a person");
  await expect.poll(() => agent.methods()).toContain("CancelTask");
});

test("Message-2: an answer goes to the task and the context of the question, under another id", async () => {
  const { agent, run, kept } = await open((turn) => {
    turn.task();
    if (turn.isAnswer) turn.status("TASK_STATE_COMPLETED", [{ text: `Order ${turn.text}.` }]);
    else turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Which order?" }]);
  });

  const asked = await run();
  const task = kept()?.task;
  const responses = { text: { action: "accept", content: { answer: "A-1" } } } as const;
  const answered = await run({ answered: { round: 1, responses } });

  expect(asked.at(-1)).toMatchObject({ type: "ask", ttl_ms: 1_000 });
  expect(textOf(answered)).toBe("Order A-1.");
  const messages = agent.requests
    .map(({ body }) => (body as { params: { message?: Record<string, unknown> } }).params.message)
    .filter((message) => message !== undefined);
  expect(messages).toEqual([
    { messageId: "rep_1:call_1", role: "ROLE_USER", parts: [{ text: "Go" }] },
    {
      messageId: "rep_1:call_1:1",
      role: "ROLE_USER",
      parts: [{ text: "A-1" }],
      taskId: task?.id,
      contextId: task?.remote?.context_id,
    },
  ]);
});
