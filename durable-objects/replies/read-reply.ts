import type { Reply } from "../../protocol/replies/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { withTimeout } from "../../runtime/with-timeout.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import type { ActiveReply } from "./active-reply.ts";
import { viewActiveReply, viewReply } from "./reply-view.ts";

const GONE = refuse("not_found", "there is no such session");

interface ReadSession {
  readonly init: SessionInit;
  readonly log: SessionLog;
  readonly tables: SessionTables;
  readonly active: ActiveReply | null;
}

interface ReplyRead {
  readonly replyId: string;
  /** Longest wait for its end, or until it waits, in milliseconds; 0 returns at once. */
  readonly waitMs: number;
}

/** A reply in its durable state. */
export async function readReply(
  session: ReadSession,
  { replyId, waitMs }: ReplyRead,
): Promise<Result<Reply>> {
  const untilMs = Date.now() + waitMs;
  const { log, tables, init } = session;
  const isQueued = waitMs > 0 && tables.queue.find(replyId) !== null;
  if (isQueued) await withTimeout(untilBegun(session, replyId), waitMs);
  if (log.isClosed) return GONE;
  const reply = session.active;
  if (reply?.id === replyId) {
    if (reply.isRunning) await withTimeout(reply.settled, Math.max(untilMs - Date.now(), 0));
    // An end or a wait is shown when it is on disk; a reply that was answered meanwhile runs again.
    if (!reply.isRunning) await log.settled();
    return log.isClosed ? GONE : accept(viewActiveReply(session, reply));
  }
  const row = tables.replies.find(replyId) ?? tables.queue.find(replyId);
  if (!row) return refuse("not_found", `there is no reply ${replyId} in this session`);
  const folded = tables.messages.ofReply(row.id);
  return accept(viewReply(row, init.session_id, folded, tables.calls));
}

/** Resolves when the reply is no longer queued to run. */
async function untilBegun({ log, tables }: ReadSession, id: string): Promise<void> {
  while (!log.isClosed && tables.queue.find(id)?.status === "running") {
    await tables.queue.changed();
  }
}
