import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { act } from "./act.ts";

/** The files of this list that the session's log names. */
async function findNamedFiles(
  { log, tables }: OpenSession,
  fileIds: readonly string[],
): Promise<Result<readonly string[]>> {
  await log.settled();
  if (log.isClosed) return refuse("not_found", "there is no such session");
  return accept(fileIds.filter((id) => tables.isInLog(id)));
}

export const FILE_ACTS = {
  /** The files among these that the session's log names. Asked by the sweep. */
  findNamedFiles: act<readonly string[], readonly string[]>({
    answersUnreadable: true,
    run: findNamedFiles,
  }),
} as const;
