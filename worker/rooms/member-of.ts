import type { RoomTurns } from "../../protocol/rooms/contract.ts";
import { MODERATOR } from "../../protocol/rooms/events.ts";
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

/** The rows of a new room: its participants, and the moderator where it has one, whose session is the room's too. */
export function membersOf(
  participants: readonly ParticipantInput[],
  turns: RoomTurns,
  joined_at: string,
): readonly RegisteredMember[] {
  const members = participants.map((participant) => memberOf(participant, joined_at));
  if (turns.order !== "moderated") return members;
  const moderator = { kind: "agent", name: MODERATOR, agent_id: turns.moderator.agent_id } as const;
  return [...members, memberOf(moderator, joined_at)];
}
