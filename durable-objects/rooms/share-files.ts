// Files that are said in a room: each agent's session refers to those that it is told of, so that its model may read them and
// none goes while one of them may look at it.
import type { Msg } from "../../protocol/messages/messages.ts";
import { shareInRoom } from "../../storage/files/share-references.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { fileIdsIn } from "../settings/file-ids-in.ts";
import type { OpenRoom } from "./open-room.ts";

/** Before the session is told of the messages. Repeatable. @throws when D1 fails. */
export async function shareFiles(
  { env, init, table }: Pick<OpenRoom, "env" | "init" | "table">,
  sessionId: string,
  messages: readonly Pick<Msg, "content">[],
): Promise<void> {
  const fileIds = [...new Set(messages.flatMap(fileIdsIn))];
  if (fileIds.length === 0) return;
  const from = table.members().flatMap(({ session_id }) => session_id ?? []);
  await shareInRoom(openDatabase(env.DB), init.tenant_id, { from, to: sessionId, fileIds });
}
