// Opens a room: the sessions of its participants first, then its log. Every step may be repeated; a room that is not open in
// time is deleted with all that was made for it.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { UserMsg } from "../../protocol/messages/constructors.ts";
import {
  MODERATOR,
  ROOM_MESSAGE_ADDED,
  ROOM_SPEAKER,
  ROOM_UPDATED,
  roomEvent,
  TEAM_UPDATED,
} from "../../protocol/rooms/events.ts";
import type { ParticipantInput } from "../../protocol/rooms/participants.ts";
import type { RoomInit } from "../api/room-api.ts";
import { ROOM_OPENING_MS } from "./limits.ts";
import { openParticipant } from "./open-participant.ts";
import type { OpenRoom } from "./open-room.ts";
import type { KnownMember, RoomTable } from "./room-table.ts";
import { moderatorOf, settingsOf, soleEndUser, teamOf } from "./room-team.ts";

type NewId = OpenRoom["newId"];

/** One transaction: what has to be made, and when it is given up. */
export function writeRoom(
  storage: DurableObjectStorage,
  table: RoomTable,
  { init, newId }: { readonly init: RoomInit; readonly newId: NewId },
): void {
  storage.transactionSync(() => {
    table.make(init);
    for (const added of init.participants) addMember(table, added, newId);
    const { turns } = init;
    if (turns.order === "moderated") {
      addMember(table, { kind: "agent", name: MODERATOR, ...turns.moderator }, newId);
    }
    storage.setAlarm(Date.now() + ROOM_OPENING_MS).catch(() => undefined);
  });
}

/** Part of a transaction. */
export function addMember(table: RoomTable, added: ParticipantInput, newId: NewId): void {
  const sessionId = added.kind === "agent" ? newId("ses") : null;
  const joined_at = new Date().toISOString();
  table.add(added.name, sessionId, { added, agent_version: null, joined_at, left_at: null });
}

/** Opens the session of each who has none yet. @returns the first refusal. */
export async function openSessions(env: Env, table: RoomTable): Promise<Result<null>> {
  const { init } = table;
  if (!init) return refuse("not_found", "there is no such room");
  const opened = await Promise.allSettled(
    table.members().map((member) => openSession(env, table, { init, member })),
  );
  for (const one of opened) {
    if (one.status === "rejected") throw one.reason;
    if (!one.value.ok) return one.value;
  }
  return accept(null);
}

export async function openSession(
  env: Env,
  table: RoomTable,
  { init, member }: { readonly init: RoomInit; readonly member: KnownMember },
): Promise<Result<null>> {
  const { name, session_id, agent_version, added, joined_at, left_at } = member;
  if (session_id === null || agent_version !== null || added.kind !== "agent") return accept(null);
  const end_user_id = soleEndUser(table);
  const opened = await openParticipant(env, init, { session_id, name, agent: added, end_user_id });
  if (!opened.ok) return opened;
  const { agent_version: version } = opened.value;
  table.setBody(name, { added, agent_version: version, joined_at, left_at });
  return accept(null);
}

/** The first events of the log, in the commit with which the room is open. */
export function beginLog({ log, table, messages, init, newId }: OpenRoom): void {
  if (log.lastSeq > 0) return;
  const members = teamOf(table);
  const joined = members.map(({ name }) => ({ name, hears_from: 0 }));
  const team = { members, moderator: moderatorOf(table), joined, left: [] };
  const drafts: EventDraft[] = [
    roomEvent(ROOM_UPDATED, settingsOf(init)),
    roomEvent(TEAM_UPDATED, team),
  ];
  const { announcement } = init;
  const said =
    announcement === null
      ? null
      : UserMsg({ name: ROOM_SPEAKER, content: announcement, id: newId("msg") });
  if (said) {
    const value = { participant: null, mentions: [], turn_id: null, interrupts: false };
    drafts.push(roomEvent(ROOM_MESSAGE_ADDED, { message: said, ...value, announces: true }));
  }
  log.append(drafts, {
    isLast: true,
    write: (events) => {
      table.setPhase("open");
      const position = events.at(-1)?.seq ?? log.lastSeq;
      if (said) messages.put({ position, reply_id: null, message: said, cursor: position });
    },
  });
}
