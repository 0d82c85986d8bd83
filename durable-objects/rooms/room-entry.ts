// An event of a participant's session as the room's log has it. Pure.
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import { CONDENSED } from "../../protocol/fold/condensed-delta.ts";
import { PARTICIPANT, TURN_ID } from "../../protocol/rooms/events.ts";
import type { RoomEvents } from "../api/participant-api.ts";

/** @param untrusted Of the context that the reply was made of. */
export function roomEntry(
  event: LoggedEvent,
  participant: string,
  { turns, untrusted }: Pick<RoomEvents, "turns" | "untrusted">,
): EventDraft {
  const { id: _, seq: __, ...draft } = event;
  // A session that was read late may have condensed its log: the first seq that a delta names then is the session's own.
  const { [CONDENSED]: ___, ...told } = event.metadata;
  const turn = event.type === "REPLY_START" ? turnOf(event.reply_id, turns) : null;
  const isTainted = event.type === "REPLY_END" && untrusted !== null;
  const metadata = {
    ...told,
    [PARTICIPANT]: participant,
    ...(turn !== null && { [TURN_ID]: turn }),
    ...(isTainted && { untrusted: { ...untrusted } }),
  };
  // Two participants of one agent have its name, and readers tell them apart.
  const name = event.type === "REPLY_START" ? { name: participant } : {};
  return { ...draft, ...name, metadata } as EventDraft;
}

/** The turn of which the session has begun the reply, which may have ended meanwhile; null for none. */
function turnOf(replyId: string, turns: RoomEvents["turns"]): string | null {
  return turns.find(({ reply_id }) => reply_id === replyId)?.turn_id ?? null;
}
