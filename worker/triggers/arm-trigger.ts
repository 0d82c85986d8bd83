// Tells triggers' objects what their rows say. The row is the truth: an object that is not told has it from the sweep, and reads
// it itself before each run.
import type { ArmedTrigger } from "../../durable-objects/api/trigger-api.ts";
import { SWEPT_TRIGGERS, TRIGGER_ARM_GRACE_MS } from "../../protocol/triggers/limits.ts";
import {
  findUnarmed,
  markArmed,
  type RegisteredTrigger,
} from "../../storage/triggers/trigger-registry.ts";
import { triggerStub } from "../objects/trigger-stub.ts";

type TriggerBindings = Pick<Env, "DB" | "TRIGGER">;

export function armedOf({
  id,
  tenant_id,
  revision,
  status,
  definition,
  due_after,
  origin,
}: RegisteredTrigger): ArmedTrigger {
  return { tenant_id, trigger_id: id, revision, status, definition, due_after, origin };
}

/** Contract: never rejects: the sweep tells the object what could not be told now. @returns whether it was told. */
export async function armTrigger(
  env: TriggerBindings,
  trigger: RegisteredTrigger,
): Promise<boolean> {
  try {
    await arm(env, trigger);
    return true;
  } catch (error) {
    console.warn("a trigger's object was not told of a change; the sweep will", {
      trigger_id: trigger.id,
      error: String(error),
    });
    return false;
  }
}

/** Tells objects that were not told. Contract: never rejects. @returns how many were told. */
export async function armLeftTriggers(env: TriggerBindings, nowMs: number): Promise<number> {
  try {
    const before = new Date(nowMs - TRIGGER_ARM_GRACE_MS).toISOString();
    const triggers = await findUnarmed(env.DB, before, SWEPT_TRIGGERS);
    const told = await Promise.all(triggers.map((trigger) => armTrigger(env, trigger)));
    return told.filter(Boolean).length;
  } catch (error) {
    console.warn("sweep: triggers were not armed; the next sweep will", { error: String(error) });
    return 0;
  }
}

async function arm(env: TriggerBindings, trigger: RegisteredTrigger): Promise<void> {
  const stub = triggerStub(env, trigger.tenant_id, trigger.id);
  const told = await stub.configure(armedOf(trigger));
  // One that is gone meanwhile has nothing to be told.
  if (told.ok) await markArmed(env.DB, trigger);
}
