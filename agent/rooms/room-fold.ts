// The room of a session as its log tells it: who is there, and under which name the session's agent speaks.
import {
  TEAM_UPDATED,
  type SessionTeamValue,
  type TeamMember,
  type TurnOrder,
} from "../../protocol/rooms/events.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { AbilityFold } from "../ability.ts";
import { isSameJson } from "../json/is-same-json.ts";

/** Null for a session that is in no room. */
export interface RoomTeam {
  readonly team: SessionTeamValue | null;
}

/** The name of the ability, of its snapshots and the source of its hints. */
export const ROOM_ABILITY = "room";

/** A fork and an import drop it: their sessions belong to no room. */
export const ROOM_FOLD: AbilityFold<RoomTeam> = {
  name: ROOM_ABILITY,
  initial: { team: null },
  reads: ["CUSTOM"],
  advance(before, event) {
    if (event.type !== "CUSTOM" || event.name !== TEAM_UPDATED) return before;
    // The platform alone writes it.
    return { team: event.value as unknown as SessionTeamValue };
  },
  adopt: () => null,
  restore: (_, now) => now,
};

/** The room as a session is told of it. @param self The name under which its agent speaks. */
export function sessionTeam(
  self: string,
  order: TurnOrder,
  members: readonly TeamMember[],
): SessionTeamValue {
  return { self, order, members: members.map(({ name, kind }) => ({ name, kind })) };
}

/** The event of a team that the session does not know yet; null for one that it knows. */
export function teamEvent(known: RoomTeam, team: SessionTeamValue): EventDraft | null {
  if (known.team !== null && isSameJson(known.team, team)) return null;
  return { type: "CUSTOM", name: TEAM_UPDATED, value: { ...team } };
}
