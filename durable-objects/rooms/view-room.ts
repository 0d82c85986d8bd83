import { roomStatus } from "../../agent/rooms/next-steps.ts";
import type { Room, RoomInputRequest } from "../../protocol/rooms/contract.ts";
import { MODERATOR } from "../../protocol/rooms/events.ts";
import type { RoomParticipant } from "../../protocol/rooms/participants.ts";
import type { OpenRoom } from "./open-room.ts";
import type { KnownMember } from "./room-table.ts";

export function viewRoom(room: OpenRoom): Room {
  const { init, state, table, log } = room;
  const { room_id: id, title, metadata, turns, announcement, bounds, created_at } = init;
  return {
    id,
    title,
    metadata,
    turns,
    created_at,
    participants: table
      .members()
      .filter(({ name }) => name !== MODERATOR)
      .map((member) => viewParticipant(room, member)),
    announcement,
    max_rounds: bounds.max_rounds,
    max_tokens: bounds.max_tokens,
    max_ms: bounds.max_ms,
    turn_timeout_ms: bounds.turn_timeout_ms,
    voice: init.voice ?? null,
    status: roomStatus(state),
    round: state.discussion?.rounds ?? 0,
    pending: state.pending.map(({ turn_reply_id: _, ...call }) => call),
    input_requests: inputRequests(room),
    last_end: state.last_end,
    cursor: log.visibleSeq,
  };
}

function viewParticipant({ state }: OpenRoom, member: KnownMember): RoomParticipant {
  const { name, added, agent_version, session_id, joined_at, left_at } = member;
  const turn = state.discussion?.turns.find(({ participant }) => participant === name);
  const isWaiting = turn && (turn.kind === "person" || isPending(state, turn.reply_id));
  const own = { awaited: false, form: null, input_timeout_ms: null, end_user_id: null };
  const person = added.kind === "person" ? added : null;
  return {
    ...own,
    name,
    kind: added.kind,
    agent_id: added.kind === "agent" ? added.agent_id : null,
    agent_version,
    session_id,
    ...(person && {
      end_user_id: person.end_user_id ?? null,
      awaited: person.awaited,
      form: person.form ?? null,
      input_timeout_ms: person.input_timeout_ms ?? null,
    }),
    joined_at,
    left_at,
    status: left_at !== null ? "left" : !turn ? "idle" : isWaiting ? "waiting" : "running",
  };
}

function isPending({ pending }: OpenRoom["state"], replyId: string | null): boolean {
  return pending.some((call) => call.turn_reply_id === replyId);
}

/** Turns of people that have begun and are not answered. */
export function inputRequests({ state }: Pick<OpenRoom, "state">): readonly RoomInputRequest[] {
  const turns = state.discussion?.turns ?? [];
  return turns.flatMap((turn): RoomInputRequest[] => {
    const { turn_id: id, participant, kind, ended, stopping, started_ms, deadline_ms } = turn;
    if (kind !== "person" || ended !== null || stopping !== null) return [];
    const member = state.members.find(({ name }) => name === participant);
    const form = member?.kind === "person" ? member.form : null;
    const asked_at = new Date(started_ms).toISOString();
    const expires_at = deadline_ms === null ? null : new Date(deadline_ms).toISOString();
    return [{ id, participant, form, asked_at, expires_at }];
  });
}
