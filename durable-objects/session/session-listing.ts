// A session whose creation nobody has confirmed yet: D1 may list it or not, since the Worker that made it may have died
// in between. A timer, set with the session's own row, stands for that until it is known.
import {
  OUTBOX_RETRY_MAX_MS,
  OUTBOX_RETRY_MS,
  LISTING_CHECK_MS,
  OUTBOX_DELIVERY_MS,
} from "../../protocol/limits/outbox.ts";
import { announceSession } from "../../storage/sessions/announce-session.ts";
import type { OpenSession } from "./open-session.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { Timer, Timers } from "../tables/timers.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";

const LISTING: Timer = { kind: "listing", id: "session" };

/** Part of the transaction that makes the session; again when somebody is about to list it. */
export function expectListing(timers: Timers): void {
  timers.set(LISTING, Date.now() + LISTING_CHECK_MS);
}

/** Whether it is not known yet that D1 lists the session. */
export function isListingOpen(timers: Timers): boolean {
  return timers.has(LISTING);
}

/** A thread's session that is erased unless somebody lists it; whoever comes to it is to do so first. */
export function isUnlistedThread(timers: Timers, { thread_id }: SessionInit): boolean {
  return thread_id !== undefined && isListingOpen(timers);
}

/** Somebody looks now, and may fail: the next look is about as far away as the session is old. */
export function putOffListing(timers: Timers, { created_at }: SessionInit): void {
  const ageMs = Date.now() - Date.parse(created_at);
  const delayMs = Math.min(Math.max(ageMs, OUTBOX_RETRY_MS), OUTBOX_RETRY_MAX_MS);
  timers.set(LISTING, Date.now() + delayMs);
}

/** A session that no list shows was never anybody's: whoever made it has died before it could say so. */
export async function settleListing(
  { init, log, tables }: Pick<OpenSession, "init" | "log" | "tables">,
  env: Pick<Env, "DB" | "WEBHOOK_QUEUE">,
  erase: () => Promise<unknown>,
): Promise<void> {
  const isListed = await checkListing(env, init);
  if (log.isClosed || isListed === null) return;
  if (isListed) endListing(tables.timers);
  else await erase();
}

export function endListing(timers: Timers): void {
  timers.clear(LISTING);
}

/**
 * Looks whether D1 lists the session, and if so tells the tenant's endpoints of it. Writes nothing here.
 * @returns false when D1 does not list it: then nobody ever knew of it. Null when D1 or the queue failed, which leaves
 * it to the timer. Contract: never rejects.
 */
async function checkListing(
  env: Pick<Env, "DB" | "WEBHOOK_QUEUE">,
  { tenant_id, session_id, agent_id, end_user_id, created_at }: SessionInit,
): Promise<boolean | null> {
  const told = { tenant_id, session_id, agent_id, end_user_id };
  try {
    return await withinDeadline(announceSession(env, told, created_at), OUTBOX_DELIVERY_MS);
  } catch (error) {
    console.warn("the session's listing could not be confirmed", { error: String(error) });
    return null;
  }
}
