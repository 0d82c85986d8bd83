// Export and import of a whole room: what was said, and each agent's state by its participant's name.
import { roomStatus } from "../../agent/rooms/next-steps.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { MAX_HISTORY_BYTES } from "../../protocol/replies/limits.ts";
import type { Room } from "../../protocol/rooms/contract.ts";
import {
  MODERATOR,
  PARTICIPANT,
  ROOM_CLEARED,
  ROOM_MESSAGE_ADDED,
  ROOM_SPEAKER,
  roomEvent,
  TEAM_UPDATED,
} from "../../protocol/rooms/events.ts";
import { AGENT_ANSWER_MS } from "../../protocol/tools/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { readUrl } from "../api/read-request.ts";
import type { PutRoomState, RoomCall } from "../api/room-api.ts";
import { listPieces, objectPieces } from "../bytes/json-pieces.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import { openParticipant, removeParticipant } from "./open-participant.ts";
import type { OpenRoom } from "./open-room.ts";
import { participantStub } from "./participant-stub.ts";
import type { KnownMember } from "./room-table.ts";
import { moderatorOf, soleEndUser, teamOf } from "./room-team.ts";
import { shareFiles } from "./share-files.ts";
import { viewRoom } from "./view-room.ts";

/** Refused while anything runs or waits: the states of the agents are of one moment. */
export async function exportRoom(room: OpenRoom): Promise<Result<Iterable<Piece>>> {
  const { env, init, messages, log } = room;
  if (!isQuiet(room)) return BUSY;
  const cursor = log.durableSeq;
  const states: Record<string, Iterable<Piece>> = {};
  for (const { name, session_id } of agentsOf(room)) {
    const stub = participantStub(env, init.tenant_id, session_id);
    const response = await withinDeadline(stub.fetch(readUrl({ what: "state" })), AGENT_ANSWER_MS);
    const text = await response.text();
    if (!response.ok) return refuse("unavailable", `the state of ${name} cannot be read now`);
    states[name] = [text];
  }
  if (log.durableSeq !== cursor || !isQuiet(room)) return BUSY;
  const shown: Iterable<Piece>[] = [];
  let size = 0;
  let messages_truncated = false;
  for (const { item: place, bytes } of messages.placesBefore(cursor + 1)) {
    size += bytes;
    if (size > MAX_HISTORY_BYTES && shown.length > 0) {
      messages_truncated = true;
      break;
    }
    shown.push(messages.shown(place));
  }
  const { room_id } = init;
  const small = { room_id, cursor, messages: [], messages_truncated, agents: {} };
  const agents = objectPieces(
    Object.fromEntries(Object.keys(states).map((name) => [name, null])),
    states,
  );
  return accept(objectPieces(small, { messages: listPieces(shown.reverse()), agents }));
}

/**
 * Each agent gets a session of its own with its state, and the room gets them all in one commit; a request that fails before
 * leaves the room as it was. Sessions that nobody takes part with are deleted, those that were replaced too.
 */
export async function importRoom(
  room: OpenRoom,
  { state, is_replacing, if_cursors }: PutRoomState,
  { actor }: RoomCall,
): Promise<Result<Room>> {
  const { env, init, table, newId, log, transaction } = room;
  const refused = refuseImport(room, { state, is_replacing, if_cursors });
  if (refused) return refused;
  const cursor = log.lastSeq;
  const opened = new Map<string, string>();
  const giveUp = async (refusal: Result<never>): Promise<Result<never>> => {
    room.held.clear();
    await removeSpares(room);
    return refusal;
  };
  for (const { name, added, agent_version } of agentsOf(room)) {
    if (added.kind !== "agent") continue;
    const session_id = newId("ses");
    room.held.add(session_id);
    transaction(() => table.addSpare(session_id));
    await room.sync();
    const agent = { agent_id: added.agent_id, agent_version: agent_version ?? undefined };
    const end_user_id = soleEndUser(table);
    const made = await openParticipant(env, init, { session_id, name, agent, end_user_id });
    if (!made.ok) return giveUp(made as Result<never>);
    const own = state.agents[name];
    // The files of a state that the room has had: they would go with the sessions that are replaced.
    const context = (own?.context ?? []) as readonly Msg[];
    await shareFiles(room, session_id, [...(state.messages as readonly Msg[]), ...context]);
    const stub = participantStub(env, init.tenant_id, session_id);
    const imported = own && (await stub.act("importFromRoom", { state: own, actor }));
    if (imported && !imported.ok) return giveUp(imported as Result<never>);
    opened.set(name, session_id);
  }
  // Nothing may have been said while the sessions were opened.
  if (log.lastSeq !== cursor || !isQuiet(room)) return giveUp(BUSY);
  replace(room, { opened, said: state.messages as readonly Msg[] });
  room.held.clear();
  await log.settled();
  room.inBackground(removeSpares(room));
  return accept(viewRoom(room));
}

function replace(
  { log, table, messages }: OpenRoom,
  { opened, said }: { readonly opened: ReadonlyMap<string, string>; readonly said: readonly Msg[] },
): void {
  const names = new Set(table.members().map(({ name }) => name));
  const spoken = said.map((message): Msg => {
    const participant = names.has(message.name) ? message.name : ROOM_SPEAKER;
    return { ...message, metadata: { ...message.metadata, [PARTICIPANT]: participant } };
  });
  const added = spoken.map((message): EventDraft => {
    const participant = names.has(message.name) ? message.name : null;
    const value = { participant, mentions: [], turn_id: null, interrupts: false };
    return roomEvent(ROOM_MESSAGE_ADDED, { message, ...value, announces: true }, participant);
  });
  const drafts = messages.count() > 0 ? [roomEvent(ROOM_CLEARED, {}), ...added] : added;
  // The sessions have heard all of it: their states have it.
  const heard = log.prepare(drafts).at(-1)?.event.seq ?? log.lastSeq;
  const members = teamOf(table).map((member) => {
    const session_id = opened.get(member.name);
    return member.kind === "agent" && session_id !== undefined ? { ...member, session_id } : member;
  });
  const joined = members.map(({ name }) => ({ name, hears_from: heard }));
  const team = { members, moderator: moderatorOf(table), joined, left: [] };
  log.append([...drafts, roomEvent(TEAM_UPDATED, team)], {
    isLast: true,
    write: (events) => {
      table.clearMessages();
      spoken.forEach((message, index) => {
        const position = events[index + drafts.length - added.length]?.seq ?? log.lastSeq;
        messages.put({ position, reply_id: null, message, cursor: position });
      });
      for (const [name, session_id] of opened) {
        const before = table.member(name)?.session_id;
        if (before) table.addSpare(before);
        table.removeSpare(session_id);
        table.setSession(name, session_id, 0);
      }
    },
  });
}

function refuseImport(
  room: OpenRoom,
  { state, is_replacing, if_cursors }: PutRoomState,
): Result<never> | null {
  const { log, state: now } = room;
  if (!isQuiet(room)) return BUSY;
  if (if_cursors && !if_cursors.includes(log.visibleSeq)) {
    return refuse("version_mismatch", `the room is at ${log.visibleSeq}`);
  }
  const names = agentsOf(room).map(({ name }) => name);
  const missing = names.filter((name) => !Object.hasOwn(state.agents, name));
  const unknown = Object.keys(state.agents).filter((name) => !names.includes(name));
  if (missing.length > 0 || unknown.length > 0) {
    const detail = `the state has to have the agents of the room; missing: ${missing.join(", ") || "none"}; unknown: ${unknown.join(", ") || "none"}`;
    return refuse("participants_mismatch", detail, { extensions: { missing, unknown } });
  }
  const isEmpty = Object.keys(now.said).every((speaker) => speaker === ROOM_SPEAKER);
  if (isEmpty || is_replacing) return null;
  return refuse(
    "conflict",
    "something was said in this room already; open another one, or replace",
  );
}

/** Deletes sessions that nobody takes part with. Contract: never rejects; those that are left are deleted later. */
export async function removeSpares({ env, init, table, log, held }: OpenRoom): Promise<void> {
  for (const sessionId of table.spares()) {
    if (held.has(sessionId)) continue;
    try {
      await removeParticipant(env, init, sessionId);
      if (!log.isClosed) table.removeSpare(sessionId);
    } catch (error) {
      console.warn("a session of a room could not be deleted; will retry", {
        error: String(error),
      });
    }
  }
}

function agentsOf({ table }: OpenRoom): readonly (KnownMember & { readonly session_id: string })[] {
  return table.members().flatMap((member) => {
    const { name, session_id, left_at } = member;
    return session_id !== null && left_at === null && name !== MODERATOR
      ? [{ ...member, session_id }]
      : [];
  });
}

function isQuiet({ state }: OpenRoom): boolean {
  return roomStatus(state) === "idle" && state.replies.length === 0;
}

const BUSY = refuse("room_busy", "something runs or waits in the room; its state is of one moment");
