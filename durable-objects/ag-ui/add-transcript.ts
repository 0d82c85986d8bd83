import { contentCharacters } from "../../agent/state/characters.ts";
import { TRANSCRIPT_BATCH_MESSAGES } from "../../protocol/ag-ui/limits.ts";
import { MAX_INPUT_MESSAGES } from "../../protocol/replies/limits.ts";
import { LARGE_VALUE_CHARACTERS } from "../../protocol/requests/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { addMessages } from "../sessions/add-messages.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/** Whether the new messages of a run are more than one commit brings. */
export function isLongTranscript(fresh: readonly Msg[]): boolean {
  return fresh.length > MAX_INPUT_MESSAGES;
}

/**
 * Adds the new messages of a long transcript, but for the newest, which become the run's input: as observed ones, some in
 * each time slice, since a commit of thousands would hold up all sessions of the isolate. What a crash, or a reply that
 * begins meanwhile, leaves out is new again when the run is looked at again.
 * @returns The messages that are left to be the input; null when others are left out as well.
 */
export async function addTranscript(
  session: OpenSession,
  fresh: readonly Msg[],
): Promise<readonly Msg[] | null> {
  const { log, tables } = session;
  const older = fresh.slice(0, -MAX_INPUT_MESSAGES);
  while (older.length > 0) {
    await timeSlice();
    if (log.isClosed || session.openReply) return null;
    const taken = takeBatch(older);
    const known = tables.messages.known(taken.map(({ id }) => id));
    const batch = taken.filter(({ id }) => !known.has(id));
    if (batch.length > 0) addMessages(session, batch);
  }
  await log.settled();
  return fresh.slice(-MAX_INPUT_MESSAGES);
}

/** Takes the first of them: as many as a time slice has room for, and at least one. */
function takeBatch(messages: Msg[]): readonly Msg[] {
  let characters = 0;
  const end = messages.findIndex((message, index) => {
    characters += contentCharacters(message);
    return (
      index === TRANSCRIPT_BATCH_MESSAGES || (index > 0 && characters > LARGE_VALUE_CHARACTERS)
    );
  });
  return messages.splice(0, end === -1 ? messages.length : end);
}
