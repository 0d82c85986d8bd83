// Looks at a task that fail: the call waits on, within the bounds of a task that nobody hears of.
import { expect, onTestFinished, test } from "vitest";

import type { KeptTask } from "../../../agent/mcp/kept-task.ts";
import type { ToolCallRequest, ToolChunk } from "../../../agent/ports.ts";
import { MCP_TASK_SILENCE_MS } from "../../../protocol/mcp/limits.ts";
import type { KeptRemoteCall } from "../../../tools/a2a/remote-calls.ts";
import { runRemoteCall } from "../../../tools/a2a/run-remote-call.ts";
import { startLyingAgent, taskOf, type Asked } from "../../support/a2a-remote/lying-agent.ts";
import { openClient } from "../../support/a2a-remote/open-client.ts";

const REQUEST: ToolCallRequest = {
  tool_call_id: "call_1",
  name: "play",
  input: { message: "Go" },
  session_id: "ses_1",
  reply_id: "rep_1",
  end_user_id: null,
};

function keptTask(about: Partial<KeptTask> = {}): KeptTask {
  const nowMs = Date.now();
  return {
    id: "t1",
    server_id: "play",
    server: "Liar",
    session_id: null,
    status: "working",
    message: null,
    created_at: nowMs - 60_000,
    expires_at: nowMs + 3_600_000,
    poll_ms: 1_000,
    poll_at: nowMs - 1,
    failing_since: null,
    rounds: 0,
    messages: 0,
    asked: [],
    answered: [],
    remote: { context_id: "c1", questions: [], settled: {} },
    ...about,
  };
}

/** One execution of a call. @param task Kept from an earlier one; null for a call that nothing is kept of. */
async function run(
  handle: (asked: Asked) => void | Promise<void>,
  task: KeptTask | null,
  request: Partial<ToolCallRequest> = {},
) {
  const agent = await startLyingAgent(handle, { streaming: false });
  onTestFinished(() => agent.stop());
  let kept: KeptRemoteCall | null = task && { isSent: true, task };
  const remote = {
    depth: 0,
    kept: () => kept,
    keep(_: string, call: KeptRemoteCall) {
      kept = call;
    },
  };
  const chunks: ToolChunk[] = [];
  const stop = new AbortController().signal;
  const about = { client: openClient(agent.card), answerMs: 1_000, stop };
  const port = task ? remote : null;
  for await (const chunk of runRemoteCall({
    ...about,
    request: { ...REQUEST, ...request },
    remote: port,
  })) {
    chunks.push(chunk);
  }
  return { agent, chunks, kept: () => kept?.task };
}

const textOf = (chunks: readonly ToolChunk[]): string =>
  chunks.map((chunk) => (chunk.type === "text" ? chunk.delta : "")).join("");

const DOWN = ({ raw }: Asked): void => raw(503, "text/plain", "Later");

test("a task that cannot be fetched once is left again, and is not cancelled", async () => {
  const { agent, chunks, kept } = await run(DOWN, keptTask());

  expect(chunks).toEqual([
    { type: "task", task: expect.objectContaining({ server: "Liar", status: "working" }) },
  ]);
  expect(kept()).toMatchObject({ id: "t1", failing_since: expect.any(Number) });
  expect(kept()?.poll_at).toBeGreaterThan(Date.now());
  expect(agent.methods()).toEqual(["GetTask"]);
});

test("a task that nobody has heard of for too long ends its call", async () => {
  const task = keptTask({ failing_since: Date.now() - MCP_TASK_SILENCE_MS });
  const { agent, chunks } = await run(DOWN, task);

  expect(textOf(chunks)).toContain("the outcome is unknown");
  expect(chunks.at(-1)).toMatchObject({ type: "end", state: "error" });
  await expect.poll(() => agent.methods()).toEqual(["GetTask", "CancelTask"]);
});

test("a task that its agent does not know ends its call", async () => {
  const { chunks } = await run(({ raw }) => raw(404, "text/plain", "None"), keptTask());

  expect(chunks.at(-1)).toMatchObject({ type: "end", state: "error" });
});

test("a call where nothing can wait asks again for a task that cannot be fetched once", async () => {
  let looks = 0;
  const { agent, chunks } = await run(({ method, answer, raw }) => {
    if (method !== "GetTask") return answer({ task: taskOf("WORKING") });
    looks += 1;
    if (looks < 2) return raw(503, "text/plain", "Later");
    answer(taskOf("COMPLETED", { artifacts: [{ artifactId: "a", parts: [{ text: "Done." }] }] }));
  }, null);

  expect(textOf(chunks)).toBe("Done.");
  expect(agent.methods()).toEqual(["SendMessage", "GetTask", "GetTask"]);
});

test("a call with a long id sends a message with one of 128 characters at most", async () => {
  const answer = ({ answer: say }: Asked): void => say({ task: taskOf("COMPLETED") });
  const ids = ["a", "b"].map((end) => `${"x".repeat(300)}${end}`);
  const sent = await Promise.all(ids.map((tool_call_id) => run(answer, null, { tool_call_id })));

  const [one = "", other = ""] = sent.map(({ agent }) => {
    const message = agent.asked[0]?.params["message"] as { messageId?: string } | undefined;
    return message?.messageId;
  });
  expect(one).toMatch(/^rep_1:[0-9a-f]{64}$/);
  expect(other).toMatch(/^rep_1:[0-9a-f]{64}$/);
  expect(one).not.toBe(other);
});
