import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import { encodeEventFrame } from "../../protocol/sse.ts";
import { stampEvent } from "./event-stamp.ts";

/** An event with its seq, id and time, and its wire frame. */
export interface PreparedEvent {
  readonly event: LoggedEvent;
  readonly frame: string;
}

/** @param created_at UTC ISO 8601 with milliseconds. */
export function prepareEvent(draft: EventDraft, seq: number, created_at: string): PreparedEvent {
  const event = stampEvent(draft, seq, created_at);
  return { event, frame: encodeEventFrame(event) };
}
