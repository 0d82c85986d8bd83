// Agents that call each other by way of background calls: the depth goes on with the reply that an end begins.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { sessionObjectName, type SessionInit } from "../../../durable-objects/api/session-api.ts";
import {
  readSessionInit,
  rewriteSessionInit,
} from "../../../durable-objects/tables/session-tables.ts";

import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import type { SessionTaskList } from "../../../protocol/background/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { sessionStub } from "../../../worker/objects/session-stub.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { ask, makeAgent, makeTenant } from "../support/api.ts";
import { addWorkingTask } from "../support/working-task.ts";

test("a reply that the end of a background call begins is as deep as that of the call", async () => {
  const { id: tenant_id, call } = await makeTenant();
  const agent = await makeAgent(call, { name: "Desk", a2a: { enabled: true } });
  const headers = { "A2A-Version": "1.0", "Reprise-A2A-Depth": "3" };
  const parts = [{ text: "/say Hello." }];
  const message = { messageId: "m1", role: "ROLE_USER", parts };
  const { json: sent } = await ask<{ task: A2aTask }>(
    "POST",
    `/v1/agents/${agent.id}/a2a/message:send`,
    { ...call, headers, json: { message } },
  );
  const path = `/v1/sessions/${sent.task.contextId}`;

  async function wake(reply_id: string): Promise<Reply> {
    const session_id = sent.task.contextId;
    const { task_id, task_token } = await addWorkingTask({ tenant_id, session_id, reply_id });
    await ask("POST", `/v1/task-callbacks/${task_token}`, { json: { output: "/say Good." } });
    return waitUntil(async () => {
      const { json: tasks } = await ask<SessionTaskList>("GET", `${path}/tasks`, call);
      const woken = tasks.data.find(({ id }) => id === task_id)?.woken_reply_id;
      if (!woken) return undefined;
      const { json: reply } = await ask<Reply>("GET", `${path}/replies/${woken}`, call);
      return reply.status === "completed" ? reply : undefined;
    });
  }

  const woken = await wake(sent.task.id);
  const again = await wake(woken.id);

  const { json: log } = await ask<{ data: readonly LoggedEvent[] }>(
    "GET",
    `${path}/events?limit=100`,
    call,
  );
  const starts = log.data.filter(({ type }) => type === "REPLY_START");
  expect(starts.map(({ metadata }) => metadata)).toEqual([
    expect.objectContaining({ a2a_task: expect.objectContaining({ depth: 3 }) }),
    expect.objectContaining({ a2a_depth: 3 }),
    expect.objectContaining({ a2a_depth: 3 }),
  ]);
  expect(again.id).not.toBe(woken.id);
});

test("and so is one that a room orders for such an end", async () => {
  const { id: tenant_id, call } = await makeTenant();
  const agent = await makeAgent(call, { name: "Desk", a2a: { enabled: true } });
  const headers = { "A2A-Version": "1.0", "Reprise-A2A-Depth": "3" };
  const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "/say Hello." }] };
  const { json: sent } = await ask<{ task: A2aTask }>(
    "POST",
    `/v1/agents/${agent.id}/a2a/message:send`,
    { ...call, headers, json: { message } },
  );
  const session_id = sent.task.contextId;
  const object = env.SESSION.getByName(sessionObjectName(tenant_id, session_id));
  // No request makes a room's participant of such a session, and none begins such a reply in one that is.
  await runInDurableObject(object, (_, { storage: { sql } }) => {
    const init = readSessionInit(sql) as SessionInit;
    const room = { room_id: "room_none", participant: "desk" };
    rewriteSessionInit(sql, { ...init, room });
  });
  await evictDurableObject(object);
  const { task_token } = await addWorkingTask({
    tenant_id,
    session_id,
    reply_id: sent.task.id,
  });
  await ask("POST", `/v1/task-callbacks/${task_token}`, { json: { output: "/say Good." } });
  const turn = { turn_id: "turn_1", messages: [], end_user_id: null };
  const team = { self: "desk", order: "mentioned", members: [] } as const;
  const stub = sessionStub(env, tenant_id, session_id);
  const started = await stub.act("startRoomTurn", { ...turn, team });
  const path = `/v1/sessions/${session_id}`;
  const { json: log } = await ask<{ data: readonly LoggedEvent[] }>(
    "GET",
    `${path}/events?limit=100`,
    call,
  );
  const starts = log.data.filter(({ type }) => type === "REPLY_START");

  expect(started.ok).toBe(true);
  expect(starts.at(-1)?.metadata).toMatchObject({ a2a_depth: 3 });
});
