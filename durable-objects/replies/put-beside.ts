// An entry of the outbox beside those of replies, in the transaction of its change, with the watchdog that delivers it.
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import { WATCHDOG, type Timers } from "../tables/timers.ts";

interface EntryBeside {
  /** The seq of the event that it stands for. */
  readonly entry: number;
  /** Empty for growth without a reply. */
  readonly replyId: string;
  readonly at: string;
  /** As JSON; null for growth alone. */
  readonly plan: string | null;
}

export function putBeside(
  sql: SqlStorage,
  timers: Timers,
  { entry, replyId, at, plan }: EntryBeside,
): void {
  sql.exec(
    "INSERT OR IGNORE INTO outbox (entry, reply_id, status, created_at, plan) VALUES (?, ?, ?, ?, ?)",
    entry,
    replyId,
    "completed" satisfies ReplyStatus,
    at,
    plan,
  );
  timers.setBy(WATCHDOG, Date.now() + WATCHDOG_INTERVAL_MS);
}
