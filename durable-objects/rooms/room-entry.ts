// An event of a participant's session as the room's log has it. Pure.
import type { RoomState } from "../../agent/rooms/room-state.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import { PARTICIPANT, TURN_ID } from "../../protocol/rooms/events.ts";

/** @param untrusted Of the context that the reply was made of. */
export function roomEntry(
  event: LoggedEvent,
  participant: string,
  { state, untrusted }: { readonly state: RoomState; readonly untrusted: UntrustedSource | null },
): EventDraft {
  const { id: _, seq: __, ...draft } = event;
  const turn = event.type === "REPLY_START" ? turnOf(state, participant) : null;
  const isTainted = event.type === "REPLY_END" && untrusted !== null;
  const metadata = {
    ...event.metadata,
    [PARTICIPANT]: participant,
    ...(turn !== null && { [TURN_ID]: turn }),
    ...(isTainted && { untrusted: { ...untrusted } }),
  };
  // Two participants of one agent have its name, and readers tell them apart.
  const name = event.type === "REPLY_START" ? { name: participant } : {};
  return { ...draft, ...name, metadata } as EventDraft;
}

/** The turn that a reply which begins is of; null for one that the room has not ordered. */
function turnOf({ discussion }: RoomState, participant: string): string | null {
  const open = discussion?.turns.find(
    (turn) => turn.participant === participant && turn.reply_id === null,
  );
  return open?.turn_id ?? null;
}
