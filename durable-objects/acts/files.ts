import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/** The files of this list that the session's log names. */
export async function findNamedFiles(
  { log, tables }: OpenSession,
  fileIds: readonly string[],
): Promise<Result<readonly string[]>> {
  await log.settled();
  if (log.isClosed) return refuse("not_found", "there is no such session");
  return accept(fileIds.filter((id) => tables.isInLog(id)));
}
