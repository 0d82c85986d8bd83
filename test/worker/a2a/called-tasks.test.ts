// A task whose agent has called another one, which asks: the stream and the task say it alike.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { STREAM_URL } from "../../../durable-objects/api/session-api.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { sessionStub } from "../../../worker/objects/session-stub.ts";
import {
  callHelper,
  childOf,
  endOf,
  giveResult,
  openAgentDesk,
  WAITING,
  waits,
} from "../agents/agent-desk.ts";
import { valueOf } from "../sessions/session.ts";
import { framesOf, statesOf } from "./task-frames.ts";

it("waits with the called agent's question, and goes on with its answer", async () => {
  const desk = await openAgentDesk({ helper: { tools: [WAITING] } });
  const { call, tenantId, session } = desk;
  const stub = sessionStub(env, tenantId, session.id);
  const open = async (id: string, after: string) => {
    const query = `format=a2a&reply_id=${id}&after=${after}`;
    return framesOf(await stub.fetch(`${STREAM_URL}?${query}`));
  };
  const input = `${callHelper("/call refund {}\n/say Paid.")}\n/say Thanks.`;
  const a2a = { context_id: session.id, message_id: "m-1" };
  const { id } = valueOf(await stub.act("startReply", { input, on_busy: "reject", a2a }));
  const frames = await open(id, "0");
  expect(statesOf(frames)).toEqual(["SUBMITTED", "WORKING", "INPUT_REQUIRED"]);

  const child = await waits(call, (await childOf(desk)).id);
  const task = valueOf(await stub.act("a2aTask", { reply_id: id }));
  const told = frames.at(-1)?.response.statusUpdate?.status;
  expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  expect(told?.message).toEqual(task.status.message);
  expect(told?.message?.parts[0]).toEqual({ text: "The result of refund is awaited." });
  const { tasks } = valueOf(
    await stub.act("a2aTasks", { limit: 10, state: "TASK_STATE_INPUT_REQUIRED" }),
  );
  expect(tasks.map((one) => one.id)).toEqual([id]);
  // Lists over contexts have it from the row.
  const { a2aTasks } = tenantStorage(env.DB, tenantId);
  const row = async () => (await a2aTasks.find(id))?.state;
  await expect.poll(row).toBe("TASK_STATE_INPUT_REQUIRED");

  await giveResult(call, child);
  await endOf(desk, id);
  const rest = await open(id, frames.at(-1)?.id ?? "");
  expect(statesOf(rest)).toEqual(["INPUT_REQUIRED", "WORKING", "COMPLETED"]);
  await expect.poll(row).toBe("TASK_STATE_COMPLETED");
});
