// Changes of a message whose place is taken: its text, or what was heard of it. The commit of the event changes the stored message
// (`record-speech.ts`); that of a reply which is open is its fold.
import type { EventDraft } from "../../protocol/events.ts";
import { SPEECH_TRUNCATED, type SpeechChange } from "../../protocol/voice/events.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/**
 * By the session's log, not the reply's: a reply that waits goes on waiting.
 * @returns False when there is no such message in the conversation: it waits in the queue, or is gone.
 */
export function changeMessage(session: OpenSession, change: SpeechChange): boolean {
  const { log, tables, openReply } = session;
  const { name, ...value } = change;
  const { message_id } = value;
  const isThere = openReply?.id === message_id || tables.messages.findPlace(message_id) !== null;
  if (log.isClosed || !isThere) return false;
  const reply = name === SPEECH_TRUNCATED ? { reply_id: message_id } : {};
  const draft: EventDraft = { type: "CUSTOM", name, ...reply, value };
  log.append([draft], { isLast: !session.isActing });
  return true;
}
