// Checks whether D1 lists the session. The Worker that creates a session may fail before it has written D1's row, so
// the session checks by itself: a timer, set in the transaction that creates it, remains until the answer is known.
import {
  OUTBOX_RETRY_MAX_MS,
  OUTBOX_RETRY_MS,
  LISTING_CHECK_MS,
  LISTING_REST_MS,
  OUTBOX_DELIVERY_MS,
} from "../../protocol/operator/limits.ts";
import { announceSession } from "../../storage/sessions/announce-session.ts";
import type { OpenSession } from "./open-session.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { Timer, Timers } from "../tables/timers.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";

const LISTING: Timer = { kind: "listing", id: "session" };

/** Part of the transaction that creates the session; called again when a request is about to list it. */
export function expectListing(timers: Timers): void {
  timers.set(LISTING, Date.now() + LISTING_CHECK_MS);
}

/** Whether it is not known yet that D1 lists the session. */
export function isListingOpen(timers: Timers): boolean {
  return timers.has(LISTING);
}

/** A named thread's session that is not known to be listed: it is erased unless a request lists it. */
export function isUnlistedThread(timers: Timers, { thread_id }: SessionInit): boolean {
  return thread_id !== undefined && isListingOpen(timers);
}

/** Sets the timer for the next check, in case this one fails: after about as long as the session is old. */
export function putOffListing(timers: Timers, { created_at }: SessionInit): void {
  const ageMs = Date.now() - Date.parse(created_at);
  const delayMs = Math.min(Math.max(ageMs, OUTBOX_RETRY_MS), OUTBOX_RETRY_MAX_MS);
  timers.set(LISTING, Date.now() + delayMs);
}

/**
 * Checks D1, and erases a session that is not listed: the request that created it has failed before it was answered.
 */
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
 * D1 lists the session, and no endpoint has to be told. The timer goes with the first reply, which usually follows at
 * once, and otherwise by itself: after a crash in between, D1 is asked when it is due.
 */
export async function endListingSoon({
  tables,
  log,
}: Pick<OpenSession, "tables" | "log">): Promise<void> {
  tables.timers.clearSoon(LISTING);
  await scheduler.wait(LISTING_REST_MS);
  if (!log.isClosed) tables.timers.clearLeft();
}

/**
 * Checks whether D1 lists the session, and if so publishes it to the tenant's webhook endpoints. Writes nothing here.
 * @returns false when D1 does not list it, so no client knows of it. Null when D1 or the queue failed: the timer will
 * retry. Contract: never rejects.
 */
async function checkListing(
  env: Pick<Env, "DB" | "WEBHOOK_QUEUE">,
  { tenant_id, session_id, agent_id, end_user_id, created_at }: SessionInit,
): Promise<boolean | null> {
  const listed = { tenant_id, session_id, agent_id, end_user_id };
  try {
    return await withinDeadline(announceSession(env, listed, created_at), OUTBOX_DELIVERY_MS);
  } catch (error) {
    console.warn("could not confirm that D1 lists the session; will retry", {
      error: String(error),
    });
    return null;
  }
}
