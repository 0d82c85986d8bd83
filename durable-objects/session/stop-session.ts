import type { OpenSession } from "./open-session.ts";

/**
 * The tenant is suspended or closed: streams end, and a running reply is interrupted, with all that waits in the queue. A
 * reply that waits for an answer stays as it is. @param inBackground Keeps the object in memory until the work is done.
 */
export function stopSession(
  session: OpenSession,
  inBackground: (work: Promise<unknown>) => void,
): void {
  const { control, tables } = session;
  session.subscribers.cutAll();
  // A reply that is being let in at this moment asks again before it calls a model.
  session.tenant.forget();
  if (!session.isActing) return;
  const dropQueue = () => tables.queue.interruptAll();
  if (session.openReply) inBackground(control.interrupt([], dropQueue));
  else session.transaction(dropQueue);
  control.startNext();
}
