// Frames of the log as the events that they hold, for readers who get another dialect.
import type { LoggedEvent } from "../../protocol/events.ts";
import { EVENT_ENVELOPE_CHARACTERS } from "../../protocol/limits/reads.ts";
import { parseEvent } from "./event-table.ts";
import { frameTexts } from "./frame-bytes.ts";

export interface ReadEvents {
  readonly events: readonly LoggedEvent[];
  /** The seq of the last of them. */
  readonly last: number;
  /** UTF-16 units of what the events since the newest `REPLY_START` among them bring, about. */
  readonly characters: number;
  /** Whether there is one. */
  readonly isNewReply: boolean;
}

/** What cannot be read is left out. @param last The seq of the last frame. */
export function parseFrames(frames: string, last: number): ReadEvents {
  let characters = 0;
  let isNewReply = false;
  const events: LoggedEvent[] = [];
  for (const { text } of frameTexts(frames)) {
    const event = parseEvent(text);
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
