// Notifications of a task whose agent has called another one, which asks: the task waits though its reply runs.
import { env } from "cloudflare:workers";
import { expect, inject, test } from "vitest";

import { createPushConfig } from "../../../worker/a2a/push-configs.ts";
import {
  callHelper,
  childOf,
  endOf,
  giveResult,
  openAgentDesk,
  WAITING,
  waits,
} from "../agents/agent-desk.ts";
import { receiverPath } from "../webhooks/endpoint.ts";
import { receivedPushes, sessionDesk, told } from "./task-desk.ts";

test("a receiver is told that a called agent asks, and of the task's end", async () => {
  const desk = await openAgentDesk({ helper: { tools: [WAITING] } });
  const { call, tenantId: tenant_id, session } = desk;
  const tasks = sessionDesk({ tenant_id, call: call as { key: string } }, session.id);
  const id = await tasks.begin(`${callHelper("/call refund {}\n/say Paid.")}\n/say Thanks.`);
  const url = inject("webhookReceiverUrl") + receiverPath();
  await createPushConfig(env, tasks.place(id), { url }, { since_start: true });

  const [asked] = await receivedPushes(url, 1);
  await giveResult(call, await waits(call, (await childOf(desk)).id));
  await endOf(desk, id);

  const { status } = asked!.body.statusUpdate!;
  expect([status.state, status.message?.parts[0]]).toEqual([
    "TASK_STATE_INPUT_REQUIRED",
    { text: "The result of refund is awaited." },
  ]);
  await expect
    .poll(async () => (await receivedPushes(url, 3)).slice(-2).map(told))
    .toEqual([[{ text: "Thanks." }], "TASK_STATE_COMPLETED"]);
});
