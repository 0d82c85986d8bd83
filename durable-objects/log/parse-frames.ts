// Parses frames of the log into events, for readers of another dialect.
import type { LoggedEvent } from "../../protocol/events.ts";
import { EVENT_ENVELOPE_CHARACTERS } from "../../protocol/requests/limits.ts";
import { parseStoredEvent } from "./event-table.ts";
import { frameTexts } from "./frame-bytes.ts";

export interface ReadEvents {
  readonly events: readonly LoggedEvent[];
  /** The seq of the last of them. */
  readonly last: number;
  /** Approximate UTF-16 units of the content of the events since the newest `REPLY_START` among them. */
  readonly characters: number;
  /** Whether a `REPLY_START` is among them. */
  readonly isNewReply: boolean;
}

/** Leaves out frames that cannot be parsed. @param last The seq of the last frame. */
export function parseFrames(frames: string, last: number): ReadEvents {
  let characters = 0;
  let isNewReply = false;
  const events: LoggedEvent[] = [];
  for (const { text } of frameTexts(frames)) {
    const event = parseStoredEvent(text);
    if (!event) continue;
    if (event.type === "REPLY_START") {
      isNewReply = true;
      characters = 0;
    }
    characters += Math.max(0, text.length - EVENT_ENVELOPE_CHARACTERS);
    events.push(event);
  }
  return { events, last, characters, isNewReply };
}
