// Reads what a room copies of its participant's log: a bounded part of what is on disk. While a reply runs it waits for more.
import { sentSources } from "../../agent/permission/untrusted-content.ts";
import { UNTRUSTED_CONTENT_FOLD } from "../../agent/permission/untrusted-content-fold.ts";
import { isRoomCopy } from "../../agent/rooms/is-room-copy.ts";
import { MAX_COPY_READ_BYTES } from "../../protocol/agents/limits.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { ReadRoomEvents, RoomEvents } from "../api/participant-api.ts";
import type { OpenSession } from "./open-session.ts";

/** Milliseconds that a look waits for a commit which wakes no reader: that of deltas. */
const LOOK_MS = 100;

export async function readRoomEvents(
  session: OpenSession,
  { after, wait_ms }: ReadRoomEvents,
): Promise<Result<RoomEvents>> {
  const { log } = session;
  if (after > log.highWaterMark) {
    return refuse("cursor_ahead", "the room has more of this session than there is");
  }
  const endsAt = Date.now() + wait_ms;
  while (session.isActing && log.durableSeq <= after && !log.isClosed) {
    const leftMs = endsAt - Date.now();
    if (leftMs <= 0) break;
    await Promise.race([log.changed(), scheduler.wait(Math.min(LOOK_MS, leftMs))]);
  }
  // The end of a reply, or that it waits, is told when it is on disk.
  if (session.active && !session.active.isRunning) await log.settled();
  if (log.isClosed) return refuse("not_found", "there is no such session");
  return accept(read(session, after));
}

function read({ log, tables, settings }: OpenSession, after: number): RoomEvents {
  const events: LoggedEvent[] = [];
  const upTo = Math.max(after, log.durableSeq);
  let [cursor, bytes] = [after, 0];
  let has_more = false;
  for (const { item: event, bytes: size } of log.events(after, upTo)) {
    if (bytes >= MAX_COPY_READ_BYTES) {
      has_more = true;
      break;
    }
    bytes += size;
    cursor = event.seq;
    if (isRoomCopy(event)) events.push(event);
  }
  const newest = tables.replies.open() ?? tables.replies.newest();
  const [untrusted = null] = sentSources(tables.abilities.read(UNTRUSTED_CONTENT_FOLD));
  return {
    events,
    // Also past what cannot be read.
    cursor: has_more ? cursor : upTo,
    has_more,
    turns: settings.init.room?.turns ?? [],
    reply: newest && { id: newest.id, status: newest.status },
    untrusted,
    is_woken: tables.background.nextDue() !== null,
  };
}
