// An entry of the outbox beside those of replies, in the transaction of its change, with the watchdog that delivers it.
import { a2aMarkOf } from "../../protocol/a2a/a2a-mark.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import { WATCHDOG, type Timers } from "../tables/timers.ts";

interface EntryBeside {
  /** The seq of the event that it stands for. */
  readonly entry: number;
  /** Empty for growth without a reply. */
  readonly replyId: string;
  readonly at: string;
  /** As JSON; null for growth alone, and for a reply. */
  readonly plan: string | null;
  /** Of a reply that has begun. */
  readonly status?: ReplyStatus;
}

export function putBeside(
  sql: SqlStorage,
  timers: Timers,
  { entry, replyId, at, plan, status = "completed" }: EntryBeside,
): void {
  sql.exec(
    "INSERT OR IGNORE INTO outbox (entry, reply_id, status, created_at, plan) VALUES (?, ?, ?, ?, ?)",
    entry,
    replyId,
    status,
    at,
    plan,
  );
  timers.setBy(WATCHDOG, Date.now() + WATCHDOG_INTERVAL_MS);
}

/** @returns the entry for a task of A2A that begins with these events; null for none. */
export function putBegunTask(
  sql: SqlStorage,
  timers: Timers,
  events: readonly LoggedEvent[],
): number | null {
  const start = events.find((event) => event.type === "REPLY_START");
  if (!start || !a2aMarkOf(start)) return null;
  const { seq: entry, reply_id: replyId, created_at: at } = start;
  putBeside(sql, timers, { entry, replyId, at, plan: null, status: "running" });
  return entry;
}
