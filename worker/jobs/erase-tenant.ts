// The erasure of a closed tenant: its sessions first, with their objects, then what D1 holds of it. In bounded steps, each
// a job of the queue that gives the next one, so that a tenant of any size is erased and none holds up the others.
import { ERASED_SESSIONS_AT_ONCE, ERASURE_STEP_SESSIONS } from "../../protocol/limits/queues.ts";
import type { TenantRemovalJob } from "../../storage/sessions/queue-job.ts";
import { eraseTenantRows } from "../../storage/tenants/erase-tenant-rows.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { unwrap } from "../http-error.ts";
import { nowTimestamp } from "../new-id.ts";
import { sessionStub } from "../sessions/session-stub.ts";
import { tenantStub } from "../auth/tenant-stub.ts";

type Erasure = "done" | "more" | "under way";

/**
 * One step of the job's chain, and the job of the next one. Nothing while another chain is at it: several beside each
 * other would only keep other tenants waiting.
 * @throws when D1 or an object fails; the job then has to be given again.
 */
export async function goOnErasing(env: Env, job: TenantRemovalJob): Promise<Erasure> {
  const { tenant_id: tenantId, chain } = job;
  const tenant = tenantStub(env, tenantId);
  if (!(await tenant.claimErasure(chain))) return "under way";
  try {
    if (await eraseStep(env, tenantId)) return "done";
    await env.REMOVAL_QUEUE.send(job);
    return "more";
  } catch (error) {
    // Whoever asks next may go on at once.
    await tenant.giveUpErasure(chain);
    throw error;
  }
}

/**
 * One step: some sessions, and when these were the last, some rows. Doing one twice, or two at the same time, does no
 * harm. @returns whether nothing is left. @throws when something of it failed; what it could do is done.
 */
export async function eraseStep(env: Env, tenantId: string): Promise<boolean> {
  const ids = await tenantStorage(env.DB, tenantId).sessions.listIds(ERASURE_STEP_SESSIONS);
  await eraseSessions(env, tenantId, ids);
  if (ids.length === ERASURE_STEP_SESSIONS) return false;
  const isErased = await eraseTenantRows(env.DB, tenantId);
  if (isErased) await tenantStub(env, tenantId).erase();
  return isErased;
}

async function eraseSessions(env: Env, tenantId: string, ids: readonly string[]): Promise<void> {
  const failures: unknown[] = [];
  const waiting = [...ids];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      // oxlint-disable no-await-in-loop
      // Others are heard between two of them.
      await timeSlice();
      // One that cannot be erased now must not keep the others.
      await eraseSession(env, tenantId, id).catch((error: unknown) => failures.push(error));
      // oxlint-enable no-await-in-loop
    }
  };
  await Promise.all(Array.from({ length: ERASED_SESSIONS_AT_ONCE }, work));
  if (failures.length > 0) throw failures[0];
}

/**
 * The object before the row: a row without its object is found again, an object without its row never. Hidden before
 * both, so that what the object still delivers comes to nothing.
 */
async function eraseSession(env: Env, tenantId: string, sessionId: string): Promise<void> {
  const { sessions } = tenantStorage(env.DB, tenantId);
  const hidden = await sessions.beginRemoval(sessionId, nowTimestamp());
  const result = await sessionStub(env, tenantId, sessionId).remove();
  if (!result.ok && result.refusal.code !== "not_found") unwrap(result);
  if (hidden) await sessions.remove(sessionId, hidden.created_at);
}
