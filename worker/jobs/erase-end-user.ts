// Erases an end user: triggers of theirs, sessions with their objects, then memory stores, connections and files that are left. In bounded steps, each a
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
import { redactInRooms } from "../rooms/erase-rooms.ts";
import { eraseMemoryStore } from "../memory/erase-stores.ts";
import { eraseEndUserTriggers } from "../triggers/erase-triggers.ts";
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

/**
 * All parts are tried: one that cannot be erased now must not keep the others.
 * @returns whether more may be left. @throws the first failure, when all others are done.
 */
async function eraseStep(env: Env, place: EndUserRemovalJob, until: string): Promise<boolean> {
  const failures: unknown[] = [];
  for (const part of PARTS) {
    try {
      // The parts are in an order: a session would make its store again.
      if (await part(env, place, until)) return true;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return false;
}

/** A part of a step. @returns whether more of it may be left. @throws when something of it could not be erased. */
type Part = (env: Env, place: EndUserRemovalJob, until: string) => Promise<boolean>;

// Triggers first: they would open further sessions.
const PARTS: readonly Part[] = [
  eraseEndUserTriggers,
  redactInRooms,
  erasePlacedSessions,
  eraseStores,
  eraseGrants,
  eraseLeftFiles,
];

async function erasePlacedSessions(
  env: Env,
  { tenant_id, end_user_id }: EndUserRemovalJob,
  until: string,
): Promise<boolean> {
  const { sessions } = tenantStorage(env.DB, tenant_id);
  const ids = await sessions.listIdsOf(end_user_id, until, END_USER_REMOVAL_STEP_SESSIONS);
  await eraseSessions(ids, async (session_id) => {
    await sessions.beginRemoval(session_id, nowTimestamp());
    await finishRemoval(env, { kind: "session_removal", tenant_id, session_id });
  });
  return ids.length === END_USER_REMOVAL_STEP_SESSIONS;
}

async function eraseStores(
  env: Env,
  { tenant_id, end_user_id }: EndUserRemovalJob,
  until: string,
): Promise<boolean> {
  const stores = await listEndUserStores(env.DB, {
    tenantId: tenant_id,
    endUserId: end_user_id,
    until,
    after: "",
    most: END_USER_REMOVAL_STEP_STORES,
  });
  const failures: unknown[] = [];
  for (const store of stores) {
    await eraseMemoryStore(env, store).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return stores.length === END_USER_REMOVAL_STEP_STORES;
}

async function eraseGrants(env: Env, place: EndUserRemovalJob, until: string): Promise<boolean> {
  await eraseConnections(env.DB, place, until);
  return false;
}

async function eraseLeftFiles(env: Env, place: EndUserRemovalJob, until: string): Promise<boolean> {
  const { tenant_id } = place;
  const ids = await hideLeftFiles(env.DB, place, until);
  await eraseFiles(
    env,
    ids.map((id) => ({ id, tenant_id })),
  );
  return ids.length === END_USER_REMOVAL_STEP_FILES;
}
