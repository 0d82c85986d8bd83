// Results of calls that may be let go, posted before the machine that made the call was lost.
import { expect, test } from "vitest";

import type { ToolChunk } from "../../../agent/ports.ts";
import { HttpToolSchema } from "../../../protocol/tools/http-tool.ts";
import type { BackgroundCall } from "../../../tools/background/background-calls.ts";
import { runInBackground } from "../../../tools/background/run-in-background.ts";
import type { HttpCall } from "../../../tools/run-http-tool.ts";

test("a call whose result is known sends nothing, and ends with it", async () => {
  const sent: unknown[] = [];
  const call: HttpCall = {
    tool: HttpToolSchema.parse({ type: "http", name: "pay", url: "https://tools.example/pay" }),
    request: {
      tool_call_id: "call_1",
      name: "pay",
      input: {},
      session_id: "ses_1",
      reply_id: "rep_1",
      end_user_id: null,
    },
    outgoing: (address) => {
      sent.push(address);
      return Promise.reject(new Error("nothing answers"));
    },
    secrets: () => ({ ok: false, type: "setup", problem: "is not there" }),
    stop: new AbortController().signal,
  };
  let closed = 0;
  const task: BackgroundCall = {
    task_id: "task_1",
    callback_url: "https://agents.example/v1/task-callbacks/tc_1",
    posted: Promise.resolve({ output: "Paid.", state: "success" }),
    letGo: () => ({ ok: false, reason: "It is not late." }),
    begin: () => undefined,
    close: () => void (closed += 1),
  };
  const chunks: ToolChunk[] = [];
  for await (const chunk of runInBackground(call, task, 60_000)) chunks.push(chunk);

  expect(sent).toEqual([]);
  expect(chunks).toEqual([
    { type: "text", delta: "Paid." },
    { type: "end", state: "success" },
  ]);
  expect(closed).toBeGreaterThan(0);
});
