// A session with a task that works, and what is seen of it.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { SessionTask, SessionTaskList } from "../../../protocol/background/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { ask, openSession } from "../support/api.ts";
import { addWorkingTask } from "../support/working-task.ts";

export async function openWorking() {
  const opened = await openSession();
  const { tenantId: tenant_id, call, session, path } = opened;
  const json = { input: "/say Hello." };
  const { json: reply } = await ask<Reply>("POST", `${path}/replies`, { ...call, json });
  const of = { tenant_id, session_id: session.id, reply_id: reply.id };
  const stub = () => env.SESSION.getByName(sessionObjectName(tenant_id, session.id));
  const task = await addWorkingTask(of);
  return {
    ...opened,
    ...task,
    stub,
    post: (output: string) =>
      ask("POST", `/v1/task-callbacks/${task.task_token}`, { json: { output } }),
    /** With its timer, which the alarm finds due. */
    ring: async (waitsFor: "request" | "callback", id = task.task_id): Promise<void> => {
      await runInDurableObject(stub(), async (_, { storage }) => {
        const query = "UPDATE background_tasks SET waits_for = ? WHERE id = ?";
        storage.sql.exec(query, waitsFor, task.task_id);
        const timer =
          "INSERT OR REPLACE INTO timers (kind, id, due_at) VALUES ('background', ?, ?)";
        storage.sql.exec(timer, id, Date.now());
        await storage.setAlarm(Date.now() + 60_000);
      });
      await runDurableObjectAlarm(stub());
    },
    tasks: async (): Promise<readonly SessionTask[]> =>
      (await ask<SessionTaskList>("GET", `${path}/tasks`, call)).json.data,
    /** The text of the reply that the task has begun. */
    said: () =>
      waitUntil(async () => {
        const { json: tasks } = await ask<SessionTaskList>("GET", `${path}/tasks`, call);
        const woken = tasks.data?.[0]?.woken_reply_id;
        if (!woken) return undefined;
        const { json: begun } = await ask<Reply>("GET", `${path}/replies/${woken}`, call);
        if (begun.status === "running") return undefined;
        return (begun.message?.content ?? [])
          .map((block) => (block.type === "text" ? block.text : ""))
          .join("");
      }),
  };
}
