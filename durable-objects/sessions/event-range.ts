import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "./open-session.ts";

export interface EventRange {
  /** The seq before the first one of the range; null for a reply that has not begun. */
  readonly start: () => number | null;
  /** The last seq of the range, once it is known. */
  readonly upTo: () => number | null;
  readonly isOver: (cursor: number) => boolean;
}

/** Whether the event of this seq is in the range, as far as is known. */
export function isInRange({ start, upTo }: EventRange, seq: number): boolean {
  const from = start();
  return from !== null && seq > from && seq <= (upTo() ?? Infinity);
}

/** The part of the log that a reader asks for: all of it, or one reply's. */
export function findEventRange(
  session: OpenSession,
  after: number,
  replyId: string | null,
): Result<EventRange> {
  const { log, tables } = session;
  if (after > log.highWaterMark) {
    return refuse(
      "cursor_ahead",
      `this session's log ends at ${log.highWaterMark}; ${after} was never given out`,
    );
  }
  if (replyId === null) {
    return accept({
      start: () => 0,
      upTo: () => null,
      isOver: (cursor) => !session.isActing && cursor >= log.lastSeq,
    });
  }
  let row = tables.replies.find(replyId);
  if (!row && !tables.queue.find(replyId))
    return refuse("not_found", `there is no reply ${replyId} in this session`);
  const upTo = () => (session.active?.id === replyId ? session.active.endSeq : endOf(replyId));
  return accept({
    start: () => (row ??= tables.replies.find(replyId))?.start_cursor ?? null,
    upTo,
    isOver: (cursor) => cursor >= (upTo() ?? Infinity),
  });

  function endOf(id: string): number | null {
    return tables.replies.find(id)?.end_seq ?? null;
  }
}
