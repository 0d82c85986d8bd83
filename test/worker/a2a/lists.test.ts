// Lists of tasks over contexts: how much of them comes at once, and whose they are.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { callHelper, childOf, openAgentDesk, run } from "../agents/agent-desk.ts";
import { ask, makeAgent, makeTenant } from "../support/api.ts";

const HEADERS = { "A2A-Version": "1.0" };

interface List {
  readonly tasks: readonly A2aTask[];
  readonly nextPageToken: string;
  readonly totalSize: number;
}

test("a page has as many tasks as fit, and the next one goes on behind them", async () => {
  const { call: owner } = await makeTenant();
  const call = { ...owner, headers: HEADERS };
  const agent = await makeAgent(call, { name: "Desk", a2a: { enabled: true } });
  const base = `/v1/agents/${agent.id}/a2a`;
  const said = async (text: string) => {
    const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
    const sent = await ask<{ task: A2aTask }>("POST", `${base}/message:send`, {
      ...call,
      json: { message },
    });
    return sent.json.task.id;
  };
  const ids: string[] = [];
  for (let count = 0; count < 9; count += 1) ids.push(await said(`/say ${"x".repeat(950_000)}`));
  const pages: List[] = [];
  for (let token = ""; pages.length === 0 || token !== "";) {
    const query = `includeArtifacts=true${token && `&pageToken=${token}`}`;
    const { json } = await ask<List>("GET", `${base}/tasks?${query}`, call);
    pages.push(json);
    token = json.nextPageToken;
  }

  expect(pages.map(({ tasks, totalSize }) => [tasks.length, totalSize])).toEqual([
    [8, 9],
    [1, 9],
  ]);
  expect(pages.flatMap(({ tasks }) => tasks.map(({ id }) => id)).toSorted()).toEqual(
    ids.toSorted(),
  );
});

test("a task in a session that an agent has called is no end user's", async () => {
  const desk = await openAgentDesk({ helper: { a2a: { enabled: true } } });
  await run(desk, `${callHelper("/say Done.")}\n/say Thanks.`);
  const child = await childOf(desk);
  const message = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "/say More." }] };

  const sent = await ask<{ task: A2aTask }>(
    "POST",
    `/v1/agents/${desk.helperId}/a2a/message:send`,
    { ...desk.call, headers: HEADERS, json: { message: { ...message, contextId: child.id } } },
  );
  const { a2aTasks } = tenantStorage(env.DB, desk.tenantId);
  const listed = async () => (await a2aTasks.find(sent.json.task.id))!;
  await expect.poll(async () => (await listed()).state).toBe("TASK_STATE_COMPLETED");

  expect(child.end_user_id).toBe("ada");
  expect((await listed()).end_user_id).toBeNull();
});
