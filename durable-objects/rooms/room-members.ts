// Participants who join and leave. A newcomer's session is there before the others are told of it.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { Room } from "../../protocol/rooms/contract.ts";
import { roomEvent, TEAM_UPDATED } from "../../protocol/rooms/events.ts";
import { MAX_ROOM_MEMBERS_EVER, MAX_ROOM_PARTICIPANTS } from "../../protocol/rooms/limits.ts";
import type { ParticipantCreate, ParticipantInput } from "../../protocol/rooms/participants.ts";
import { addMember, openSession } from "./create-room.ts";
import { removeParticipant as removeSession } from "./open-participant.ts";
import type { OpenRoom } from "./open-room.ts";
import { moderatorOf, teamOf } from "./room-team.ts";
import { viewRoom } from "./view-room.ts";

/** The same participant again is found. */
export async function addParticipant(
  room: OpenRoom,
  { participant: added, history }: ParticipantCreate,
): Promise<Result<Room>> {
  const { env, init, table, newId, transaction, sync } = room;
  const { name } = added;
  const before = table.member(name);
  if (before && before.left_at === null) {
    if (isThere(room, name)) {
      const isSame = JSON.stringify(before.added) === JSON.stringify(added);
      return isSame ? accept(viewRoom(room)) : refuseName(name);
    }
    // An earlier request has failed before the others were told.
    if (JSON.stringify(before.added) !== JSON.stringify(added)) return refuseName(name);
  } else {
    const refused = refuseNewcomer(room, added);
    if (refused) return refused;
    transaction(() => {
      if (before) rejoin(room, added);
      else addMember(table, added, newId);
    });
    await sync();
  }
  const member = table.member(name);
  if (!member) return refuse("conflict", "the participant was removed meanwhile");
  const opened = await openSession(env, table, { init, member });
  if (!opened.ok) {
    table.removeMember(name);
    return opened;
  }
  if (room.log.isClosed) {
    if (member.session_id) await removeSession(env, init, member.session_id);
    return refuse("not_found", "there is no such room");
  }
  if (!isThere(room, name)) tell(room, { joined: name, left: null, history });
  await room.log.settled();
  room.kick();
  return accept(viewRoom(room));
}

/** The participant's turn ends; its session stays, and is told nothing more. */
export async function leaveRoom(room: OpenRoom, name: string): Promise<Result<Room>> {
  const { table, log } = room;
  const member = table.member(name);
  if (!member || !isThere(room, name)) {
    return refuse("not_found", `no participant of this room is ${name}`);
  }
  const { added, agent_version, joined_at } = member;
  const left_at = new Date().toISOString();
  table.setBody(name, { added, agent_version, joined_at, left_at });
  tell(room, { joined: null, left: name, history: "none" });
  await log.settled();
  room.kick();
  return accept(viewRoom(room));
}

function tell(
  { table, log }: OpenRoom,
  {
    joined,
    left,
    history,
  }: {
    readonly joined: string | null;
    readonly left: string | null;
    readonly history: ParticipantCreate["history"];
  },
): void {
  const hears_from = history === "all" ? 0 : log.lastSeq;
  const value = {
    members: teamOf(table),
    moderator: moderatorOf(table),
    joined: joined === null ? [] : [{ name: joined, hears_from }],
    left: left === null ? [] : [left],
  };
  log.append([roomEvent(TEAM_UPDATED, value)], { isLast: true });
}

function isThere({ state }: OpenRoom, name: string): boolean {
  return state.members.some((member) => member.name === name);
}

function refuseNewcomer({ table }: OpenRoom, added: ParticipantInput): Result<never> | null {
  const members = table.members();
  const there = members.filter(({ left_at }) => left_at === null);
  if (there.length >= MAX_ROOM_PARTICIPANTS) {
    return refuse("conflict", `a room has ${MAX_ROOM_PARTICIPANTS} participants at most`);
  }
  if (members.length >= MAX_ROOM_MEMBERS_EVER) {
    return refuse("conflict", `a room has had ${MAX_ROOM_MEMBERS_EVER} participants at most`);
  }
  const before = table.member(added.name);
  const isPerson = before?.added.kind === "person" && added.kind === "person";
  return before && !isPerson ? refuseName(added.name) : null;
}

/** A person who comes back. */
function rejoin({ table }: OpenRoom, added: ParticipantInput): void {
  const joined_at = new Date().toISOString();
  table.setBody(added.name, { added, agent_version: null, joined_at, left_at: null });
}

function refuseName(name: string): Result<never> {
  return refuse("conflict", `the name ${name} is, or was, another participant's`);
}
