// Pausing of triggers, and its end.
import type { AuditAction } from "../../protocol/audit/contract.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { StoredTrigger, TriggerChange } from "../../storage/triggers/trigger-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { HttpError } from "../http-error.ts";
import { nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { keepRepeatable } from "../requests/keep-answer.ts";
import { shownTrigger } from "./shown-trigger.ts";
import { answerChanged, findTrigger, storageOf } from "./trigger-routes.ts";

/** Repeated it changes nothing, so that its key may be kept nowhere. */
const pauseTrigger: RouteHandler = async (context) => {
  const before = await findTrigger(context);
  if (before.status === "paused") return answerAsItIs(context, before);
  const change = { status: "paused", paused_reason: { type: "manual" } } as const;
  return changeStatus(context, before, "trigger.paused", change);
};

const unpauseTrigger: RouteHandler = async (context) => {
  const before = await findTrigger(context);
  const { schedule } = before.definition;
  const now = nowTimestamp();
  if (before.status !== "active" && schedule?.type === "once" && schedule.run_at <= now) {
    const detail = "its one time has come; give it a schedule with a time to come";
    throw new HttpError("conflict", detail);
  }
  if (before.status === "active") return answerAsItIs(context, before);
  await requireTarget(context, before);
  const change = {
    status: "active",
    paused_reason: null,
    due_after: now,
    failures_in_row: 0,
  } as const;
  return changeStatus(context, before, "trigger.unpaused", change);
};

/** @throws HttpError `conflict` when nobody is there to answer. */
async function requireTarget(context: AppContext, { agent_id, room_id }: StoredTrigger) {
  const { agents, rooms } = tenantStorage(context.env.DB, tenantOf(context));
  if (agent_id !== null && !(await agents.read(agent_id))) {
    throw new HttpError("conflict", "the trigger's agent was deleted");
  }
  if (room_id !== null && !(await rooms.isThere(room_id))) {
    throw new HttpError("conflict", "the trigger's room was deleted");
  }
}

async function answerAsItIs(context: AppContext, stored: StoredTrigger): Promise<Response> {
  await keepRepeatable(context);
  return context.json(await shownTrigger(context, stored));
}

async function changeStatus(
  context: AppContext,
  before: StoredTrigger,
  action: AuditAction,
  change: TriggerChange,
): Promise<Response> {
  const audit = auditFor(context, {
    action,
    target: before.id,
    before: { status: before.status },
    after: { status: change.status },
  });
  const stored = await storageOf(context).update(before, change, nowTimestamp(), { audit });
  const answer = await answerChanged(context, stored);
  await keepRepeatable(context);
  return answer;
}

export const triggerPauseRoutes = { pauseTrigger, unpauseTrigger };
