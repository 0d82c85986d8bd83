import type { OpenSession } from "./open-session.ts";

/** Stops everything; the session writes nothing more. The caller erases the storage. */
export function closeSession(session: OpenSession): void {
  const { active, background, outbox, log, tables, compression, recording } = session;
  active?.abandon();
  background.close();
  compression.stop();
  recording.stop();
  outbox.close();
  log.close();
  tables.queue.wake();
}
