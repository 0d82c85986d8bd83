import { refuse, type Result } from "../protocol/errors.ts";
import type { LoggedEvent } from "../protocol/events.ts";

/** How one reader's stream is told in another dialect. Deterministic: every reader gets the same frames. */
export interface StreamTranslation {
  /** @returns The frames of the log's next event. */
  push(event: LoggedEvent): string;
  /** @returns What is to be said now that nothing follows until somebody acts. */
  rest(): string;
  /** Whatever follows is not for this reader. */
  readonly isOver: boolean;
}

/** Where a reader's translated stream begins. */
export interface TranslatedStart {
  /** The log is read from the event after this seq. */
  readonly after: number;
  /** Frames that come first. */
  readonly prelude: string;
  readonly translation: StreamTranslation;
}

/** A cursor that no frame of the format has. */
export function refuseCursor(): Result<never> {
  return refuse(
    "invalid_cursor",
    "a cursor is the seq of an event, a whole number from 0, or the id of a frame in this format",
  );
}
