// Questions about a room's members.
import { MODERATOR } from "../../protocol/rooms/events.ts";
import type { OpenRound, RoomMember, RoomState } from "./room-state.ts";

/** A present participant or the moderator; null for any other name. */
export function memberOf(state: RoomState, name: string): RoomMember | null {
  if (name === MODERATOR) return state.moderator;
  return state.members.find((member) => member.name === name) ?? null;
}

/** Whether the participant has turns: agents, and people whom the room waits for. */
function hasTurns(member: RoomMember): boolean {
  return member.kind === "agent" || member.awaited;
}

/** Names of those who have turns, in order. */
export function speakersOf({ members }: RoomState): readonly string[] {
  return members.filter(hasTurns).map(({ name }) => name);
}

/** Participants of the round who are to have a turn yet, and are there. */
export function queueOf(state: RoomState, { queue }: OpenRound): readonly string[] {
  const speakers = speakersOf(state);
  return queue.filter((name) => speakers.includes(name));
}

/** Whether the round has more than the turns that are open. */
export function hasTurnsLeft(state: RoomState, round: OpenRound): boolean {
  return round.is_open || queueOf(state, round).length > 0;
}

/** The seq of the newest message; 0 before the first. @param listener One whose own are not looked at. */
export function newestSaid({ said }: RoomState, listener?: string): number {
  return Object.entries(said).reduce(
    (newest, [speaker, seq]) => (speaker === listener ? newest : Math.max(newest, seq)),
    0,
  );
}
