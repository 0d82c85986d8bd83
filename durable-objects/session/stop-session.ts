import type { OpenSession } from "./open-session.ts";

/**
 * The tenant is suspended or closed: streams end, and what runs is interrupted, with all that waits for its turn. A reply
 * that waits for somebody outside stays as it is. @param inBackground Keeps the object in memory until the work is done.
 */
export function stopSession(
  session: OpenSession,
  inBackground: (work: Promise<unknown>) => void,
): void {
  session.subscribers.cutAll();
  // A reply that is being let in at this moment asks again before it calls a model.
  session.tenant.forget();
  if (!session.isActing) return;
  const dropQueue = () => session.tables.queue.interruptAll();
  if (session.openReply) inBackground(session.interrupt([], dropQueue));
  else session.transaction(dropQueue);
  inBackground(session.starter.goOn());
}
