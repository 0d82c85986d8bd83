// Tasks by their ids: a row says which session the reply is in.
import { isId } from "../../protocol/ids.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { unwrap } from "../http-error.ts";
import { sessionStub, type SessionStub } from "../objects/session-stub.ts";
import { tenantOf } from "../principal.ts";
import { taskNotFound } from "./a2a-error.ts";
import type { A2aCall } from "./a2a-call.ts";
import { isOfCaller } from "./find-context.ts";

/** The place of a task. */
export interface TaskPlace {
  readonly session_id: string;
  readonly reply_id: string;
}

export interface FoundTask extends TaskPlace {
  readonly context_id: string;
}

/** @throws A2aError task_not_found, for all that are not this agent's and this caller's. */
export async function findTask(call: A2aCall, taskId: string): Promise<FoundTask> {
  const { context, agent } = call;
  if (!isId("rep", taskId)) throw taskNotFound();
  const row = await tenantStorage(context.env.DB, tenantOf(context)).a2aTasks.find(taskId);
  if (!row || row.agent_id !== agent.id) throw taskNotFound();
  const principal = context.get("principal");
  if (principal.kind !== "tenant") {
    const session = await stubOf(call, row.session_id).act("read");
    if (!session.ok && session.refusal.code === "not_found") throw taskNotFound();
    if (!isOfCaller(call, unwrap(session))) throw taskNotFound();
  }
  return { session_id: row.session_id, reply_id: taskId, context_id: row.context_id };
}

export function stubOf({ context }: A2aCall, sessionId: string): SessionStub {
  return sessionStub(context.env, tenantOf(context), sessionId);
}
