import type { OpenSession } from "./open-session.ts";

/**
 * The tenant is suspended or closed: closes streams, ends a compression and a recording, and interrupts a running reply and all queued
 * ones. A reply that waits for an answer stays as it is. @param inBackground Keeps the object in memory until the work is done.
 */
export function stopSession(
  session: OpenSession,
  inBackground: (work: Promise<unknown>) => void,
): void {
  const { queue, runner, tables } = session;
  session.subscribers.cutAll();
  // A reply that is being admitted at this moment needs a new lease before it calls a model.
  session.tenant.forget();
  session.compression.stop();
  session.recording.stop();
  if (!session.isActing) return;
  const dropQueue = () => tables.queue.interruptAll();
  if (session.openReply) inBackground(runner.interrupt([], dropQueue));
  else session.transaction(dropQueue);
  queue.startNext();
}
