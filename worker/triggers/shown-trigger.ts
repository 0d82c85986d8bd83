import { upcomingRuns } from "../../agent/triggers/schedule-times.ts";
import type { Trigger } from "../../protocol/triggers/contract.ts";
import { mentionsOf, targetOf } from "../../protocol/triggers/target.ts";
import type { StoredTrigger } from "../../storage/triggers/trigger-storage.ts";
import type { AppContext } from "../app-env.ts";
import { publicOrigin } from "../requests/public-origin.ts";
import { webhookAddress } from "./webhook-address.ts";

/** A trigger as the API shows it, with what follows from its schedule now. */
export async function shownTrigger(context: AppContext, stored: StoredTrigger): Promise<Trigger> {
  const { id, definition, metadata, status, paused_reason } = stored;
  const { last_run_at, failures_in_row, missed_runs, created_by_key_id } = stored;
  const { created_at, updated_at, due_after } = stored;
  const afterMs = Math.max(Date.now(), Date.parse(due_after));
  return {
    ...definition,
    ...targetOf(definition),
    mentions: mentionsOf(definition),
    id,
    webhook: await shownWebhook(context, stored),
    metadata,
    status,
    paused_reason,
    upcoming_runs_at: status === "completed" ? [] : [...upcomingRuns(definition.schedule, afterMs)],
    last_run_at,
    failures_in_row,
    missed_runs,
    created_by_key_id,
    created_at,
    updated_at,
  };
}

async function shownWebhook(
  context: AppContext,
  { id: trigger_id, tenant_id, webhook_form: form, old_secret_expires_at }: StoredTrigger,
): Promise<Trigger["webhook"]> {
  if (form === null) return null;
  const url = await webhookAddress(context.env, publicOrigin(context), { tenant_id, trigger_id });
  return { form, url, old_secret_expires_at };
}

/** A trigger as the audit has it: it outlives end users, and says nothing of theirs. */
export function auditedTrigger({ definition, status, webhook_form }: StoredTrigger): object {
  const { input: _input, session, end_user_id: _endUser, ...rest } = definition;
  return { ...rest, session: session?.mode ?? null, webhook_form, status };
}
