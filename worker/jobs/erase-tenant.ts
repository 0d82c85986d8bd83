// Erases a closed tenant: first its sessions with their objects, then its rows in D1. In bounded steps, each a queue
// job that enqueues the next one, so that a tenant of any size is erased without delaying others.
import { ERASURE_STEP_SESSIONS } from "../../protocol/operator/limits.ts";
import type { TenantRemovalJob } from "../../storage/sessions/queue-job.ts";
import { eraseTenantObjects } from "../../storage/files/erase-files.ts";
import { eraseTenantRows } from "../../storage/tenants/erase-tenant-rows.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { unwrap } from "../http-error.ts";
import { nowTimestamp } from "../new-id.ts";
import { eraseTenantStores } from "../memory/erase-stores.ts";
import { eraseTenantRooms } from "../rooms/erase-rooms.ts";
import { searchStub } from "../objects/search-stub.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { tenantStub } from "../objects/tenant-stub.ts";
import { eraseTenantTriggers } from "../triggers/erase-triggers.ts";
import { eraseSessions } from "./erase-sessions.ts";

type Erasure = "done" | "more" | "under way";

/**
 * Runs one step and enqueues the next. Does nothing while another chain is active: parallel chains would only delay
 * other tenants.
 * @throws when D1 or an object fails; the job must then be retried.
 */
export async function continueErasure(env: Env, job: TenantRemovalJob): Promise<Erasure> {
  const { tenant_id: tenantId, chain } = job;
  const tenant = tenantStub(env, tenantId);
  if (!(await tenant.claimErasure(chain))) return "under way";
  try {
    if (await eraseStep(env, tenantId)) return "done";
    await env.REMOVAL_QUEUE.send(job);
    return "more";
  } catch (error) {
    // Releases the chain, so that the next request can continue at once.
    await tenant.giveUpErasure(chain);
    throw error;
  }
}

/**
 * One step: some sessions and, after the last of them, some rows. Idempotent, also when run twice at once. @returns
 * whether everything is erased. @throws when a part failed; the others are done.
 */
export async function eraseStep(env: Env, tenantId: string): Promise<boolean> {
  // Triggers first: they would open further sessions.
  if (!(await eraseTenantTriggers(env, tenantId))) return false;
  // Before the sessions: a room would open new ones.
  if (!(await eraseTenantRooms(env, tenantId))) return false;
  const ids = await tenantStorage(env.DB, tenantId).sessions.listIds(ERASURE_STEP_SESSIONS);
  await eraseSessions(ids, (id) => eraseSession(env, tenantId, id));
  if (ids.length === ERASURE_STEP_SESSIONS) return false;
  if (!(await eraseTenantObjects(env.FILES, tenantId))) return false;
  if (!(await eraseTenantStores(env, tenantId))) return false;
  // Before the rows, which say that there is one: no session is left from which it could be made again.
  await searchStub(env, tenantId).erase();
  const isErased = await eraseTenantRows(env.DB, tenantId);
  if (isErased) await tenantStub(env, tenantId).erase();
  return isErased;
}

/**
 * The object is erased before the row: a row without its object is found again, an object without its row is not. The
 * session is hidden before both, so that late deliveries of the object have no effect.
 */
async function eraseSession(env: Env, tenantId: string, sessionId: string): Promise<void> {
  const { sessions } = tenantStorage(env.DB, tenantId);
  const hidden = await sessions.beginRemoval(sessionId, nowTimestamp());
  const result = await sessionStub(env, tenantId, sessionId).remove();
  if (!result.ok && result.refusal.code !== "not_found") unwrap(result);
  if (hidden) await sessions.remove(sessionId, hidden.created_at);
}
