// The fold: computes a message from its events. The session's object, the SDK and the console run this same function,
// so all hold the same message, byte for byte.
import { appendData, isBase64Delta } from "./append-data.ts";
import { appendPlain } from "./append-plain.ts";
import type { AgentEvent } from "../events.ts";
import { growDataBlock, growOutputData } from "./grow-data.ts";
import type { Msg } from "../messages/messages.ts";
import { startMessage } from "./start-message.ts";

export { startMessage } from "./start-message.ts";

/**
 * The message after `event`. Pure: shares what the event does not touch, and returns the same message for an event
 * without effect (another reply's, an unknown block's, an unknown type). Never throws on events that passed their
 * schema, and takes every id and time from the event, so that all readers get the same JSON.
 *
 * Not idempotent: readers must drop events whose `seq` they have applied.
 *
 * Cost: one new object per level and a copy of the list of blocks, whatever their size.
 */
export function appendEvent(message: Msg, event: AgentEvent): Msg {
  return isBase64Delta(event)
    ? appendData(message, event, { growDataBlock, growOutputData })
    : appendPlain(message, event);
}

/** The message of the first reply that starts in `events`, or null when none does. */
export function foldEvents(events: Iterable<AgentEvent>): Msg | null {
  let message: Msg | null = null;
  for (const event of events) {
    if (message) message = appendEvent(message, event);
    else if (event.type === "REPLY_START") message = startMessage(event);
  }
  return message;
}
