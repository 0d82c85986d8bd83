// Looks at a task of another system's agent that the platform itself cannot make: none of them is made again at once.
import { env } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";

import { keepTask } from "../../../agent/mcp/kept-task.ts";
import { lookAtRemote } from "../../../durable-objects/replies/remote-tasks.ts";
import { MCP_TASK_SILENCE_MS } from "../../../protocol/mcp/limits.ts";

test.each([
  ["a minute", 60_000, false],
  ["too long", MCP_TASK_SILENCE_MS, true],
])("a look that could not be made for %s is made later", async (_, sinceMs, isDue) => {
  const logged = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => logged.mockRestore());
  const play = { type: "a2a", name: "play", description: "", card: { url: "https://a.example" } };
  const session = {
    settings: {
      replyInit: { agent: { tools: [play] }, tools: [] },
      confirmCredentials: () => Promise.reject(new Error("D1 is away")),
    },
  } as unknown as Parameters<typeof lookAtRemote>[0];
  const read = { id: "t1", status: "working", message: null, ttlMs: null, pollMs: 1_000 } as const;
  const origin = { server_id: "play", server: "Agent", session_id: null };
  const beganMs = Date.now() - sinceMs;
  const kept = { ...keepTask(read, origin, beganMs), failing_since: beganMs };

  const looked = await lookAtRemote(session, env, kept, {
    state: { a2a_depth: null },
    trace: undefined,
  });

  expect(looked.isDue).toBe(isDue);
  expect(looked.task.poll_at).toBeGreaterThan(Date.now());
});
