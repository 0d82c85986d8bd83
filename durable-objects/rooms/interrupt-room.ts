// Ends a turn, or the discussion.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { RoomInterrupt, RoomInterruptResult } from "../../protocol/rooms/conversation.ts";
import { ROOM_INTERRUPTED, roomEvent } from "../../protocol/rooms/events.ts";
import { ROOM_INTERRUPT_MS } from "./limits.ts";
import type { OpenRoom } from "./open-room.ts";

export async function interruptRoom(
  room: OpenRoom,
  { participant = null }: { readonly participant?: RoomInterrupt["participant"] | null },
): Promise<Result<RoomInterruptResult>> {
  const { log, table } = room;
  if (participant !== null && !table.member(participant)) {
    const detail = `no participant of this room is ${participant}`;
    return refuse("validation_failed", detail, { errors: [{ pointer: "#/participant", detail }] });
  }
  const turns = openTurns(room, participant);
  const isNothing =
    turns.length === 0 && (participant !== null || !isDiscussing(room)) && !hasNews(room);
  if (isNothing) return accept({ interrupted: false, participants: [] });
  const event = roomEvent(ROOM_INTERRUPTED, { participant, reason: "interrupted" }, participant);
  log.append([event], { isLast: true });
  await log.settled();
  room.kick();
  await ended(room, { turns, isAll: participant === null });
  const participants = turns.map((turn) => turn.participant);
  return accept({ interrupted: true, participants });
}

function openTurns({ state }: OpenRoom, participant: string | null) {
  const turns = state.discussion?.turns ?? [];
  return turns.filter((turn) => participant === null || turn.participant === participant);
}

function isDiscussing({ state }: OpenRoom): boolean {
  return state.discussion !== null;
}

function hasNews({ state }: OpenRoom): boolean {
  return state.unanswered !== null;
}

/** Resolves when the turns have ended, and the discussion if that is meant; or when that takes long. */
async function ended(
  room: OpenRoom,
  {
    turns,
    isAll,
  }: { readonly turns: readonly { readonly turn_id: string }[]; readonly isAll: boolean },
): Promise<void> {
  const ids = new Set(turns.map(({ turn_id }) => turn_id));
  const endsAtMs = Date.now() + ROOM_INTERRUPT_MS;
  const isOpen = (): boolean =>
    (isAll && isDiscussing(room)) ||
    (room.state.discussion?.turns.some(({ turn_id }) => ids.has(turn_id)) ?? false);
  while (isOpen() && Date.now() < endsAtMs && !room.log.isClosed) {
    await Promise.race([room.log.changed(), scheduler.wait(endsAtMs - Date.now())]);
  }
  await room.log.settled();
}
