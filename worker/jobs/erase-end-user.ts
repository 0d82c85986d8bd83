// Erases an end user: sessions with their objects, then memory stores, connections and files that are left. In bounded steps, each a
// queue job that enqueues the next one, so that one with many sessions delays nobody. All of it may be done twice.
import {
  END_USER_REMOVAL_SETTLE_MS,
  END_USER_REMOVAL_STEP_FILES,
  END_USER_REMOVAL_STEP_SESSIONS,
  END_USER_REMOVAL_STEP_STORES,
} from "../../protocol/end-users/limits.ts";
import {
  endRemoval,
  eraseConnections,
  hideLeftFiles,
  takeRemovalStep,
} from "../../storage/end-users/end-user-removal-storage.ts";
import { eraseFiles } from "../../storage/files/erase-files.ts";
import { listEndUserStores } from "../../storage/memory/store-registry.ts";
import type { EndUserRemovalJob } from "../../storage/sessions/queue-job.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { nowTimestamp } from "../new-id.ts";
import { eraseMemoryStore } from "../memory/erase-stores.ts";
import { eraseSessions } from "./erase-sessions.ts";
import { finishRemoval } from "./finish-removal.ts";

/**
 * Runs one step and enqueues the next. The last look is some time after the last step, for a session that was being
 * opened when the removal was asked for. Does nothing for a removal that is done or has begun anew.
 * @throws when D1, R2 or an object fails; the job must then be retried.
 */
export async function continueEndUserRemoval(env: Env, job: EndUserRemovalJob): Promise<void> {
  const until = await takeRemovalStep(env.DB, job, Date.now());
  if (until === null) return;
  if (await eraseStep(env, job, until)) await env.REMOVAL_QUEUE.send(job);
  else if (Date.now() >= Date.parse(until) + END_USER_REMOVAL_SETTLE_MS)
    await endRemoval(env.DB, job);
  else await env.REMOVAL_QUEUE.send(job, { delaySeconds: END_USER_REMOVAL_SETTLE_MS / 1_000 });
}

/** @returns whether more may be left. */
async function eraseStep(env: Env, place: EndUserRemovalJob, until: string): Promise<boolean> {
  const { tenant_id, end_user_id } = place;
  const { sessions } = tenantStorage(env.DB, tenant_id);
  const ids = await sessions.listIdsOf(end_user_id, until, END_USER_REMOVAL_STEP_SESSIONS);
  await eraseSessions(ids, async (session_id) => {
    await sessions.beginRemoval(session_id, nowTimestamp());
    await finishRemoval(env, { kind: "session_removal", tenant_id, session_id });
  });
  if (ids.length === END_USER_REMOVAL_STEP_SESSIONS) return true;
  // After the sessions, which would make them again.
  const stores = await listEndUserStores(env.DB, {
    tenantId: tenant_id,
    endUserId: end_user_id,
    until,
    after: "",
    most: END_USER_REMOVAL_STEP_STORES,
  });
  for (const store of stores) await eraseMemoryStore(env, store);
  if (stores.length === END_USER_REMOVAL_STEP_STORES) return true;
  await eraseConnections(env.DB, place, until);
  const fileIds = await hideLeftFiles(env.DB, place, until);
  await eraseFiles(
    env,
    fileIds.map((id) => ({ id, tenant_id })),
  );
  return fileIds.length === END_USER_REMOVAL_STEP_FILES;
}
