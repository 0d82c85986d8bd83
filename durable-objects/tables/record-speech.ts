// Speech in stored messages: the words of a user that come after the message, and what was heard of an ended reply.
import type { LoggedEvent } from "../../protocol/events.ts";
import { appendSpeech } from "../../protocol/fold/append-speech.ts";
import { speechChangeOf } from "../../protocol/voice/events.ts";
import type { MessageTable } from "./message-table.ts";
import { replaceMessage } from "./replace-message.ts";
import { isOutsized } from "./stored-message.ts";

/**
 * Part of the transaction of the events. @param growing The message of the running reply, whose row is written when the reply
 * ends or waits; null without one.
 */
export function recordSpeech(
  sql: SqlStorage,
  messages: MessageTable,
  events: readonly LoggedEvent[],
  growing: string | null,
): void {
  for (const event of events) {
    const change = speechChangeOf(event);
    if (!change || change.message_id === growing) continue;
    const place = messages.findPlace(change.message_id);
    // One without its content must not take the place of the whole.
    if (!place || isOutsized(place.bytes)) continue;
    const stored = messages.find(change.message_id)?.message;
    if (!stored) continue;
    const message = appendSpeech(stored, change);
    // Its seq stays: what came between it and the words is not of this message, and folding them again changes nothing.
    if (message !== stored) replaceMessage(sql, messages, message);
  }
}
