// What becomes known of a message after its place was taken: its text, or what was heard of it. The commit of the event changes
// the stored message (`record-speech.ts`); that of a reply which is open is its fold.
import type { EventDraft } from "../../protocol/events.ts";
import type { SpeechChange } from "../../protocol/voice/events.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/** @returns False when there is no such message in the conversation: it waits in the queue, or is gone. */
export function changeMessage(session: OpenSession, change: SpeechChange): boolean {
  const { log, tables, openReply, runner } = session;
  if (log.isClosed) return false;
  const { name, ...value } = change;
  const draft: EventDraft = { type: "CUSTOM", name, value };
  if (openReply?.id === change.message_id) {
    runner.append(openReply, [{ ...draft, reply_id: openReply.id }]);
    return true;
  }
  if (!tables.messages.findPlace(change.message_id)) return false;
  log.append([draft], { isLast: !session.isActing });
  return true;
}
