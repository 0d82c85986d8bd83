import type { OpenSession } from "./open-session.ts";

/** Stops everything; the session writes nothing more. The caller erases the storage. */
export function closeSession({ active, outbox, log, tables }: OpenSession): void {
  active?.abandon();
  outbox.close();
  log.close();
  tables.queue.wake();
}
