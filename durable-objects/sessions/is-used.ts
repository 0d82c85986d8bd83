import type { OpenSession } from "./open-session.ts";

/** Whether anything was said in the session, or is about to be. */
export function isUsed({ tables, isActing }: OpenSession): boolean {
  const { messages, queue, replies } = tables;
  if (isActing || messages.count() > 0) return true;
  return replies.before(null, 1).length > 0 || queue.list().length > 0;
}
