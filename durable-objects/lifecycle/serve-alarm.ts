import { TIMER_RETRY_MS, UNREADABLE_RETRY_MS } from "../../protocol/replies/limits.ts";
import { COPY_ABANDONED_MS } from "../../protocol/sessions/limits.ts";
import { eraseCopy } from "../sessions/conversation-copy.ts";
import { runDueTimers } from "./run-due-timers.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { hasSchema } from "../tables/schema.ts";
import type { SessionKeeper } from "./session-keeper.ts";
import { sessionTimers } from "./session-timers.ts";
import { Timers } from "../tables/timers.ts";

export interface AlarmContext {
  readonly env: Pick<Env, "WEBHOOK_QUEUE">;
  readonly keeper: SessionKeeper;
  /** Whether a fork is being copied into the object. */
  readonly isCopying: () => boolean;
  readonly settleListing: (session: OpenSession) => Promise<void>;
  readonly settleSockets: (session: OpenSession) => Promise<void>;
}

/**
 * Contract: throws only when the storage fails, also while an abandoned copy is erased; the platform repeats the alarm.
 */
export async function serveAlarm(
  ctx: DurableObjectState,
  { env, keeper, isCopying, settleListing, settleSockets }: AlarmContext,
): Promise<void> {
  const { storage } = ctx;
  if (!keeper.session) {
    if (!hasSchema(storage.sql)) return;
    // Before anything is read: an object whose stored data crashes it is woken again, however often.
    await new Timers(storage).armFor(Date.now() + TIMER_RETRY_MS);
  }
  const session = await keeper.open();
  if (session) {
    const handlers = sessionTimers(session, {
      env,
      inBackground: (work) => ctx.waitUntil(work),
      settleListing: () => settleListing(session),
      settleSockets: () => settleSockets(session),
    });
    await runDueTimers(session.tables.timers, handlers, () => session.log.isClosed);
  } else if (keeper.isUnreadable) {
    await storage.setAlarm(Date.now() + UNREADABLE_RETRY_MS);
  } else if (hasSchema(storage.sql)) {
    // A copy under way is checked again later; an abandoned one is erased.
    await storage.setAlarm(Date.now() + COPY_ABANDONED_MS);
    if (!isCopying()) await eraseCopy(storage);
  }
}
