// Erases triggers: the row says that the erasure has begun, then the object goes, and the row last, so that one that is
// interrupted is found again.
import { ERASED_TRIGGERS_AT_ONCE, SWEPT_TRIGGERS } from "../../protocol/triggers/limits.ts";
import {
  findLeftTriggers,
  listEndUserTriggers,
  listTenantTriggers,
  listTriggersWithEndUsers,
  markTrigger,
  removeTrigger,
  type TriggerPlace,
} from "../../storage/triggers/trigger-registry.ts";
import { nowTimestamp } from "../new-id.ts";
import { triggerStub } from "../objects/trigger-stub.ts";

type TriggerBindings = Pick<Env, "DB" | "TRIGGER">;

/** Idempotent. @throws when D1 or the object fails: the sweep then finds the trigger. */
export async function eraseTrigger(
  env: TriggerBindings,
  { id, tenant_id }: TriggerPlace,
): Promise<void> {
  if (!(await markTrigger(env.DB, { id, tenant_id }, nowTimestamp()))) return;
  await triggerStub(env, tenant_id, id).erase();
  await removeTrigger(env.DB, { id, tenant_id });
}

/** Some triggers of a tenant that is closed. @returns whether none is left. @throws as {@link eraseTrigger}. */
export async function eraseTenantTriggers(
  env: TriggerBindings,
  tenantId: string,
): Promise<boolean> {
  const triggers = await listTenantTriggers(env.DB, tenantId, ERASED_TRIGGERS_AT_ONCE);
  await eraseAll(triggers.map((trigger) => () => eraseTrigger(env, trigger)));
  return triggers.length < ERASED_TRIGGERS_AT_ONCE;
}

/**
 * Triggers of an end user alone, and what others have of them. @returns whether more may be left. @throws as
 * {@link eraseTrigger}.
 */
export async function eraseEndUserTriggers(
  env: TriggerBindings,
  place: { readonly tenant_id: string; readonly end_user_id: string },
  until: string,
): Promise<boolean> {
  const own = await listEndUserTriggers(env.DB, place, until, ERASED_TRIGGERS_AT_ONCE);
  await eraseAll(own.map((trigger) => () => eraseTrigger(env, trigger)));
  if (own.length === ERASED_TRIGGERS_AT_ONCE) return true;
  const { tenant_id, end_user_id } = place;
  for (let after = ""; ;) {
    const some = await listTriggersWithEndUsers(env.DB, tenant_id, after, ERASED_TRIGGERS_AT_ONCE);
    await eraseAll(
      some.map(
        ({ id }) =>
          () =>
            triggerStub(env, tenant_id, id).forgetEndUser(end_user_id),
      ),
    );
    if (some.length < ERASED_TRIGGERS_AT_ONCE) return false;
    after = some.at(-1)?.id ?? "";
  }
}

/** Erases those whose erasure was interrupted. Contract: never rejects. @returns how many. */
export async function eraseLeftTriggers(env: TriggerBindings): Promise<number> {
  try {
    const triggers = await findLeftTriggers(env.DB, SWEPT_TRIGGERS);
    await eraseAll(triggers.map((trigger) => () => eraseTrigger(env, trigger)));
    return triggers.length;
  } catch (error) {
    console.warn("sweep: a trigger was not erased; the next sweep will", { error: String(error) });
    return 0;
  }
}

/** All are tried. @throws the first failure. */
async function eraseAll(erasures: readonly (() => Promise<void>)[]): Promise<void> {
  const erased = await Promise.allSettled(erasures.map((erase) => erase()));
  const failed = erased.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
