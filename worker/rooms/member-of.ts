import type { ParticipantInput } from "../../protocol/rooms/participants.ts";
import type { RegisteredMember } from "../../storage/rooms/room-storage.ts";

/** The participant's row; its session is known when the room's object has opened it. */
export function memberOf(participant: ParticipantInput, joined_at: string): RegisteredMember {
  const { name, kind } = participant;
  return {
    name,
    kind,
    agent_id: participant.kind === "agent" ? participant.agent_id : null,
    session_id: null,
    end_user_id: participant.kind === "person" ? (participant.end_user_id ?? null) : null,
    joined_at,
  };
}
