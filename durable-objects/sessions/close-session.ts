import type { OpenSession } from "./open-session.ts";

/** Stops everything; the session writes nothing more. The caller erases the storage. */
export function closeSession({ active, outbox, log, tables, compression }: OpenSession): void {
  active?.abandon();
  compression.stop();
  outbox.close();
  log.close();
  tables.queue.wake();
}
