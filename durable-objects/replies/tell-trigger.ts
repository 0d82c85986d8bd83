// Tells the trigger that has opened this session that a reply has ended or waits here. Nothing depends on it: a trigger that is
// not told looks.
import { TRIGGER_ANSWER_MS } from "../../protocol/triggers/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { SessionInit } from "../api/session-api.ts";
import { triggerObjectName, type TriggerApi } from "../api/trigger-api.ts";

/** Contract: never rejects. */
export async function tellTrigger(
  env: Pick<Env, "TRIGGER">,
  { tenant_id, session_id, trigger }: Pick<SessionInit, "tenant_id" | "session_id" | "trigger">,
): Promise<void> {
  if (!trigger) return;
  try {
    const name = triggerObjectName(tenant_id, trigger.trigger_id);
    const stub = env.TRIGGER.getByName(name) as unknown as TriggerApi;
    await withinDeadline(stub.noteSession(session_id), TRIGGER_ANSWER_MS);
  } catch (error) {
    console.warn("a trigger was not told of its run; it will look", {
      session_id,
      error: String(error),
    });
  }
}
