// Tasks of a session, and the addresses to which their results are posted. What is signed is no key's business.
import { MAX_WORKING_TASKS } from "../../../protocol/background/limits.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { ask, openSession } from "../../worker/support/api.ts";
import { countEvents } from "../../worker/support/count-listed.ts";
import { addWorkingTask } from "../../worker/support/working-task.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  listTasks: { answers: 200, shows: ["agent"] },
  cancelTask: {
    answers: 200,
    shows: ["agent"],
    stores: ["+session.events", "~session.background_tasks", "+session.ability_states"],
    // One event of each task, of which a session has 100 that work.
    bounds: {
      "session.events": MAX_WORKING_TASKS,
      "session.ability_states": "one for each ability",
    },
  },
  endTask: {
    answers: 200,
    isSilent: true,
    body: ({ word }) => ({ output: word }),
    shows: [],
    stores: [
      "+session.ability_states",
      "~session.background_tasks",
      "+session.events",
      "+session.messages",
      "+session.replies",
      "~session.session",
      "+session.shared_state_versions",
      "~tenant.days",
      "+tenant.replies",
      "+usage",
      "~usage_days",
      "+usage_end_users",
    ],
    refusedBy: ["stored_bytes"],
  },
} satisfies ConceptRows;

async function openWorking() {
  const { tenantId: tenant_id, call, session, path } = await openSession();
  const { json: reply } = await ask<Reply>("POST", `${path}/replies`, {
    ...call,
    json: { input: "/say Hello." },
  });
  const task = { tenant_id, session_id: session.id, reply_id: reply.id };
  return { call, path, session, task, ...(await addWorkingTask(task)) };
}

export const KEYED = {
  async cancelTask() {
    const { call, path, task_id } = await openWorking();
    return {
      path: `${path}/tasks/${task_id}/cancel`,
      call,
      count: () => countEvents(path, call, "background_task_ended"),
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call, session, task, task_id, task_token } = await openWorking();
  const place = { session_id: session.id };
  await api.ask("listTasks", place, call);
  await api.ask("cancelTask", { ...place, task_id }, call);
  const stopped = { task_token };
  await api.ask("endTask", stopped, { json: { output: "too late" } });
  await api.ask("endTask", { task_token: "tc_a.b" }, { json: { output: "x" } });
  const next = await addWorkingTask(task);
  const result = { task_token: next.task_token };
  await api.ask("endTask", result, { json: { output: "x".repeat(2_000) } });
  await api.ask("endTask", result, { json: { output: 7 } });
  const headers = { "Content-Type": "application/json" };
  await api.ask("endTask", result, { headers, body: "{" });
  const deep = `{"a":${"[".repeat(64)}${"]".repeat(64)}}`;
  await api.ask("endTask", result, { headers, body: deep });
  await api.ask("endTask", result, { headers: { "Content-Type": "text/plain" }, body: "{}" });
  await api.ask("endTask", result, { json: { output: "/say Done." } });
  await api.ask("endTask", result, { json: { output: "/say Done." } });
  await api.ask("endTask", result, { json: { output: "Other" } });
  await api.ask("deleteSession", place, call);
  await api.ask("endTask", result, { json: { output: "/say Done." } });
}
