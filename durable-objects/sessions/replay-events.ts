// The events that a translator has to replay before it continues in the middle of the log. Read from this object's tables
// and memory: all that a reader was shown is there, on disk or not.
import type { LoggedEvent } from "../../protocol/events.ts";
import type { ReadEvents } from "../log/parse-frames.ts";
import type { OpenSession } from "./open-session.ts";
import type { ReplyRow } from "../tables/reply-table.ts";

/** The newest reply that had begun before this position of the log; null when none had. */
export function findReplyAt(
  { active, tables }: Pick<OpenSession, "active" | "tables">,
  position: number,
): ReplyRow | null {
  // One that runs may have no message yet.
  if (active && active.startCursor < position) return tables.replies.find(active.id);
  let looked: string | null = null;
  for (const replyId of tables.messages.replyIdsBefore(position)) {
    // A transcript may have brought thousands of messages of one reply.
    if (replyId === looked) continue;
    looked = replyId;
    const row = tables.replies.find(replyId);
    // A message that was only observed may have become the input of a later reply.
    if (row && row.start_cursor < position) return row;
  }
  return null;
}

/**
 * The position at which a translator begins to replay that is to continue after `position`: earlier events have no
 * effect on it.
 */
export function findBeginning(session: OpenSession, position: number): number {
  const reply = findReplyAt(session, position);
  if (!reply) return 0;
  const endSeq = isOpen(reply) ? null : reply.end_seq;
  return endSeq !== null && endSeq <= position ? endSeq : reply.start_cursor;
}

/** Events that were read together. */
type EventPage = Pick<ReadEvents, "events" | "characters">;

/**
 * The events between two positions that are visible, oldest first; of a condensed delta that goes beyond the second one
 * the part up to there. In pages, between which the log may change. Cost: their rows, parsed.
 */
export function* eventPagesBetween(
  { log }: Pick<OpenSession, "log">,
  after: number,
  upTo: number,
): Generator<EventPage, void> {
  for (let cursor = after; cursor < upTo;) {
    const read = log.readEvents(cursor, log.visibleSeq, upTo);
    if (!read) return;
    const { events, characters } = read;
    yield { events: events.filter(({ seq }) => seq <= upTo), characters };
    cursor = read.last;
  }
}

/** As {@link eventPagesBetween}, one by one. */
export function* eventsBetween(
  session: Pick<OpenSession, "log">,
  after: number,
  upTo: number,
): Generator<LoggedEvent, void> {
  for (const { events } of eventPagesBetween(session, after, upTo)) yield* events;
}

function isOpen({ status }: ReplyRow): boolean {
  return (
    status === "running" ||
    status === "awaiting_permission" ||
    status === "awaiting_external_result"
  );
}
