// The members of a room as its log has them.
import { MODERATOR, type RoomSettings, type TeamMember } from "../../protocol/rooms/events.ts";
import { DEFAULT_INPUT_TIMEOUT_MS } from "../../protocol/rooms/limits.ts";
import type { RoomInit } from "../api/room-api.ts";
import type { KnownMember, RoomTable } from "./room-table.ts";

/** Participants who are there, in the order in which they came; without the moderator. */
export function teamOf(table: RoomTable): readonly TeamMember[] {
  return table
    .members()
    .filter(({ name, left_at }) => name !== MODERATOR && left_at === null)
    .map(toTeamMember);
}

/** Null in every order but `moderated`. */
export function moderatorOf(table: RoomTable): Extract<TeamMember, { kind: "agent" }> | null {
  const member = table.member(MODERATOR);
  const moderator = member && toTeamMember(member);
  return moderator?.kind === "agent" ? moderator : null;
}

function toTeamMember({ name, session_id, agent_version, added }: KnownMember): TeamMember {
  if (added.kind === "agent") {
    return {
      name,
      kind: "agent",
      agent_id: added.agent_id,
      agent_version: agent_version ?? 0,
      session_id: session_id ?? "",
    };
  }
  const { awaited, form = null, input_timeout_ms = DEFAULT_INPUT_TIMEOUT_MS } = added;
  return { name, kind: "person", awaited, form, input_timeout_ms };
}

/** The one end user of a room, whose memories its agents may recall; null where there are several, or none. */
export function soleEndUser(table: RoomTable): string | null {
  const people = table
    .members()
    .flatMap(({ added, left_at }) => (added.kind === "person" && left_at === null ? [added] : []));
  const ids = new Set(people.map(({ end_user_id = null }) => end_user_id));
  const [only = null] = ids;
  return ids.size === 1 ? only : null;
}

export function settingsOf({ turns, bounds }: RoomInit): RoomSettings {
  const { order } = turns;
  return { order, rounds: "rounds" in turns ? turns.rounds : 1, ...bounds };
}
