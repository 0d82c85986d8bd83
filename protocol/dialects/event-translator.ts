import type { LoggedEvent } from "../events.ts";

/** An event of a dialect. Its type is the name of its frame. */
export interface TranslatedEvent {
  readonly type: string;
}

/** The translation of a log into a dialect, for one reader. Pure: the output does not depend on where a stream resumes. */
export interface EventTranslator<Event extends TranslatedEvent = TranslatedEvent> {
  /**
   * The dialect's events for the log's next event, in order. Events must be given in the order of their seq, and those
   * of a reply completely, from `REPLY_START`.
   */
  translate(event: LoggedEvent): readonly Event[];
}
