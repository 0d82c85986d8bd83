// An address of ours that an agent is given when its task is let go: known on disk before it leaves, and the same one again
// after a crash.
import { expect, onTestFinished, test } from "vitest";

import { keepTask, type KeptTask } from "../../../agent/mcp/kept-task.ts";
import { endPushes, requestPushes } from "../../../tools/a2a/call-pushes.ts";
import { startLyingAgent, type Asked } from "../../support/a2a-remote/lying-agent.ts";
import { openClient } from "../../support/a2a-remote/open-client.ts";

const READ = { id: "t1", status: "working", message: null, ttlMs: null, pollMs: 1_000 } as const;
const ORIGIN = { server_id: "play", server: "Liar", session_id: null };
const TASK = keepTask(READ, ORIGIN, Date.now());
const ADDRESS = { id: "p1", url: "https://ours.example/v1/remote-pushes/rp_1", secret: "s" };
const REQUEST = { tool_call_id: "call_1" } as Parameters<typeof requestPushes>[0]["request"];
const NEVER = new AbortController().signal;

async function open(handle: (asked: Asked) => void, pushNotifications = true) {
  const agent = await startLyingAgent(handle, { pushNotifications });
  onTestFinished(() => agent.stop());
  const client = openClient(agent.card);
  const kept: KeptTask[] = [];
  const keptBefore: number[] = [];
  const remote = {
    depth: 0,
    kept: () => null,
    keep: () => undefined,
    pushAddress: () => Promise.resolve(ADDRESS),
  };
  const keep = (task: KeptTask): void => {
    kept.push(task);
    keptBefore.push(agent.asked.length);
  };
  const ask = (task: KeptTask) =>
    requestPushes({ client, request: REQUEST, remote }, task, keep, NEVER);
  return { agent, client, ask, kept, keptBefore };
}

const takes = ({ answer, params }: Asked): void => answer({ ...params, id: "theirs" });

test("the address is on disk before it leaves, and the agent's name for it with its answer", async () => {
  const { ask, kept, keptBefore } = await open(takes);
  const task = await ask(TASK);

  const push = { id: "p1", config_id: null, look_at: 0 };
  expect([kept, keptBefore]).toEqual([[{ ...TASK, push }], [0]]);
  expect(task).toEqual({ ...TASK, push: { ...push, config_id: "theirs" } });
});

test("after a crash before the answer the same address is given again, and after it none", async () => {
  const { agent, ask, kept } = await open(takes);
  const task = await ask({ ...TASK, push: { id: "p1", config_id: null, look_at: 7 } });
  await ask(task);

  expect(agent.asked).toHaveLength(1);
  expect(agent.asked[0]?.params).toMatchObject({ id: "p1", url: ADDRESS.url });
  expect(kept).toHaveLength(1);
});

test("an agent whose card has no push notifications is given none", async () => {
  const { agent, ask } = await open(takes, false);

  expect([await ask(TASK), agent.asked]).toEqual([TASK, []]);
});

test("an address that the agent may have taken is known, and one that it has refused is not", async () => {
  const answers = [
    ({ raw }: Asked) => raw(500, "text/plain", "Broken"),
    ({ response }: Asked) => void response.destroy(),
    ({ raw }: Asked) => raw(404, "text/plain", "None"),
  ];
  const tasks = [];
  for (const answer of answers) tasks.push(await (await open(answer)).ask(TASK));

  const push = { id: "p1", config_id: null, look_at: 0 };
  expect(tasks).toEqual([{ ...TASK, push }, { ...TASK, push }, TASK]);
});

test("what the agent has taken is taken back by its name for it, and what it may have taken by ours", async () => {
  const { agent, client } = await open(({ raw }) => raw(500, "text/plain", "Broken"));
  const push = { id: "p1", config_id: null, look_at: 0 };
  await endPushes(client, { ...TASK, push: { ...push, config_id: "theirs" } });
  await endPushes(client, { ...TASK, push });
  await endPushes(client, TASK);

  expect(agent.asked.map(({ params }) => params)).toEqual([
    { taskId: "t1", id: "theirs" },
    { taskId: "t1", id: "p1" },
  ]);
});
