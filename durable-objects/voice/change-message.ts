// Changes of a message whose place is taken: its text, or what was heard of it. The commit of the event changes the stored message
// (`record-speech.ts`); that of a reply which is open is its fold.
import type { EventDraft } from "../../protocol/events.ts";
import {
  SPEECH_KEPT,
  SPEECH_SAID,
  SPEECH_TRUNCATED,
  speechOf,
  type SpeechChange,
} from "../../protocol/voice/events.ts";
import { billSpeech } from "../replies/bill-speech.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/**
 * By the session's log, not the reply's: a reply that waits goes on waiting. A message in the queue is changed where it is
 * stored, and comes to the log with its words.
 * @returns False when there is no such message: it has no place yet, or is gone.
 */
export function changeMessage(
  session: OpenSession,
  change: SpeechChange,
  metadata: Readonly<Record<string, unknown>> = {},
): boolean {
  const { log, tables, openReply } = session;
  const { name, ...value } = change;
  const { message_id } = value;
  if (log.isClosed) return false;
  if (session.transaction(() => tables.queue.changeMessage(change, metadata))) return true;
  const isThere = openReply?.id === message_id || tables.messages.findPlace(message_id) !== null;
  if (!isThere) return false;
  const message = session.findMessage(message_id)?.message;
  const ms = (message && speechOf(message)?.ms) ?? 0;
  const isOfReply =
    change.name === SPEECH_TRUNCATED ||
    change.name === SPEECH_SAID ||
    (change.name === SPEECH_KEPT && "block_id" in change);
  const reply = isOfReply ? { reply_id: message_id } : {};
  const draft: EventDraft = { type: "CUSTOM", name, ...reply, value, metadata: { ...metadata } };
  log.append([draft], {
    isLast: !session.isActing,
    write: (events) => billSpeech(session, change, { seq: events.at(-1)?.seq ?? log.lastSeq, ms }),
  });
  return true;
}
