import { SEQ_RESERVATION } from "../../protocol/events/limits.ts";

interface Commit {
  /** The last seq. */
  readonly seq: number;
  /** No event follows soon. */
  readonly isLast?: boolean;
  /** Whether the commit has no events, and so no row of the log that the mark could be written with. */
  readonly isEmpty: boolean;
}

/** The seq up to which seqs are reserved from a commit on. @param reserved The one before it. */
export function nextReservation(reserved: number, { seq, isLast, isEmpty }: Commit): number {
  if (isLast) return seq;
  if (isEmpty) return reserved;
  return reserved - seq < SEQ_RESERVATION / 2 ? seq + SEQ_RESERVATION : reserved;
}
