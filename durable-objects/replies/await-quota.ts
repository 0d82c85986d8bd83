import type { SpentQuota } from "../../agent/tenant-quota.ts";
import { QUOTA_EXCEEDED } from "../../protocol/fold/append-custom.ts";
import { QUOTA_RETRY_MS } from "../../protocol/quotas/limits.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import { WATCHDOG } from "../tables/timers.ts";
import type { ActiveReply } from "./active-reply.ts";
import { ReplyLog, type ReplyLogContext } from "./reply-log.ts";

/**
 * Appends `quota_exceeded` once; the watchdog then checks the quota again from time to time.
 * @param isNotified Whether this object has appended it for the reply.
 * @returns When the quota is checked again; Unix milliseconds.
 */
export function awaitQuota(
  session: ReplyLogContext,
  reply: ActiveReply,
  { quota, retry_after_ms = QUOTA_RETRY_MS }: SpentQuota,
  isNotified: boolean,
): number {
  const { tables } = session;
  const nowMs = Date.now();
  const atMs = nowMs + Math.min(retry_after_ms, QUOTA_RETRY_MS);
  const value = { reply_id: reply.id, quota };
  const isNew = !isNotified && !isNewestEvent(session, reply);
  new ReplyLog(session, reply).append(
    isNew ? [{ type: "CUSTOM", name: QUOTA_EXCEEDED, reply_id: reply.id, value }] : [],
    () => {
      tables.replies.wait(reply.id, atMs, nowMs);
      tables.timers.setBy(WATCHDOG, nowMs + WATCHDOG_INTERVAL_MS);
    },
  );
  return atMs;
}

/** Whether the object was restarted while the reply waited for its quota: its event is still the newest. */
function isNewestEvent({ log }: ReplyLogContext, { id }: ActiveReply): boolean {
  const newest = [...log.events(log.lastSeq - 1)].at(-1)?.item;
  return newest?.type === "CUSTOM" && newest.name === QUOTA_EXCEEDED && newest.reply_id === id;
}
