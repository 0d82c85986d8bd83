// The fold: events become the message that they describe. The object that stores it, the SDK and the console
// run this same function, so what one of them shows is what the others hold, byte for byte.
import { appendData, isDataDelta } from "./append-data.ts";
import { appendPlain } from "./append-plain.ts";
import type { AgentEvent } from "../events.ts";
import { growDataBlock, growOutputData } from "./grow-data.ts";
import type { Msg } from "../messages/messages.ts";
import { startMessage } from "./start-message.ts";

export { startMessage } from "./start-message.ts";

/**
 * The message after `event`. Neither argument is changed; what the event does not touch is shared, and an
 * event without effect (another reply's, an unknown block's, an unknown type) gives back the same message.
 * Never throws on events that passed their schema, and takes every id and time from the event, so that all
 * readers get the same JSON.
 *
 * Not idempotent: a reader drops events whose `seq` it has seen.
 *
 * Cost: one new object per level and a copy of the list of blocks, whatever their size.
 */
export function appendEvent(message: Msg, event: AgentEvent): Msg {
  return isDataDelta(event)
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
