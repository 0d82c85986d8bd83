import { resumeReply } from "../replies/resume-reply.ts";
import type { OpenSession } from "./open-session.ts";

interface WakeOptions {
  /** The settings cannot be read: an open reply is ended, and no other one begins. */
  readonly isReadOnly?: boolean;
}

/**
 * Recovers all that the object's last incarnation has left: timers, an open reply, the outbox, the queue. Nothing else may
 * use the session before this has resolved.
 */
export async function wakeSession(
  session: OpenSession,
  { isReadOnly = false }: WakeOptions = {},
): Promise<void> {
  const { tables, settings, outbox, log, queue } = session;
  const left = tables.replies.open() ?? tables.replies.newestUnknown();
  if (isReadOnly) outbox.close();
  await tables.timers.restore();
  if (left) await resumeReply(session, left, !isReadOnly && !settings.isReplyInitLost);
  if (log.isClosed || isReadOnly) return;
  // The reply was ended just now: D1 has to get its end.
  if (left && !session.openReply) queue.settle();
  else queue.startNext();
}
