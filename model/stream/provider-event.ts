// The events of an answer, as readers get them.
import type { EventMarks, ReceivedEvent } from "../../outgoing/body.ts";

interface MarkedEvent extends EventMarks {
  readonly data: string;
  /** Of the line `event:`; null without one. */
  readonly name: string | null;
}

/** An event's data alone, or with what else is known of it: most have nothing else. */
export type ProviderEvent = string | MarkedEvent;

/** The name of an event that has none. */
const UNNAMED = "message";

/** Hot path: runs for each event. */
export function toProviderEvent(
  { data, event = UNNAMED }: ReceivedEvent,
  { isOpen, isBare }: EventMarks,
): ProviderEvent {
  if (event === UNNAMED && !isOpen && !isBare) return data;
  return { data, name: event === UNNAMED ? null : event, isOpen, isBare };
}
