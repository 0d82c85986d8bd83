import { refuse, type Result } from "../../protocol/errors.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import type { LoggedEvent } from "../../protocol/events.ts";

/** A piece of a stream's text. A long one is generated when it is read, so that a slow reader needs little memory. */
export type TextPiece = string | (() => Iterable<Piece>);

/** One reader's stream in another dialect. Deterministic: every reader gets the same frames. */
export interface StreamTranslation {
  /**
   * Reads what the log has before the reader's first event, up to this seq, a part in each time slice; called once, before
   * the first `push`. Null when nothing is to be read.
   * @param isLeft Whether the reader has left meanwhile, so that the rest is not read.
   */
  readonly catchUp: ((upTo: number, isLeft: () => boolean) => Promise<void>) | null;
  /** @returns The frames of the log's next event. */
  push(event: LoggedEvent): readonly TextPiece[];
  /** @returns The frames that are due when no event follows for now. */
  flush(): readonly TextPiece[];
  /** Later events are not for this reader: its run has ended. */
  readonly isOver: boolean;
  /** True while the reader waits for what follows a wait that it knows of: as long as one that follows the session. */
  readonly staysOpen?: boolean;
}

/** The beginning of a reader's stream. */
export interface StreamStart {
  /** The log is read from the event after this seq. */
  readonly after: number;
  /** Frames that are sent first. */
  readonly prelude: readonly TextPiece[];
  /** Null for the log's own format. */
  readonly translation: StreamTranslation | null;
}

/** The refusal of a cursor that is no frame of the format. */
export function refuseCursor(): Result<never> {
  return refuse(
    "invalid_cursor",
    "a cursor is the seq of an event, a whole number from 0, or the id of a frame in this format",
  );
}
