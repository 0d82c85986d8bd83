// The fold of a room's log: its own events, and the starts, ends and questions of its participants' replies.
import type { LoggedEvent } from "../../protocol/events.ts";
import {
  participantOf,
  ROOM_CLEARED,
  ROOM_DELIVERED,
  ROOM_DISCUSSION_ENDED,
  ROOM_DISCUSSION_STARTED,
  ROOM_INPUT_REQUIRED,
  ROOM_INTERRUPTED,
  ROOM_MESSAGE_ADDED,
  ROOM_ROUND_ENDED,
  ROOM_ROUND_STARTED,
  ROOM_SPEAKER,
  ROOM_TURN_ENDED,
  ROOM_TURN_STARTED,
  ROOM_TURN_WANTED,
  ROOM_UPDATED,
  roomEventOf,
  TEAM_UPDATED,
  type RoomDiscussionStartedValue,
  type RoomEvent,
  type RoomInterruptedValue,
  type RoomMessageValue,
  type RoomRoundStartedValue,
  type TeamUpdatedValue,
} from "../../protocol/rooms/events.ts";
import { advanceReply } from "./advance-reply.ts";
import { advanceTurnEnded, advanceTurnStarted, stopped } from "./advance-turn.ts";
import { hasTurnsLeft, newestSaid } from "./members.ts";
import type { Discussion, RoomMember, RoomState } from "./room-state.ts";

/** The state after an event of the room's log. Pure. @returns the same value when the event changes nothing. */
export function advanceRoom(state: RoomState, event: LoggedEvent): RoomState {
  const own = roomEventOf(event);
  if (own) return advanceOwn(state, own, event);
  const participant = participantOf(event);
  return participant === null ? state : advanceReply(state, event, participant);
}

function advanceOwn(state: RoomState, own: RoomEvent, { seq, created_at }: LoggedEvent): RoomState {
  const nowMs = Date.parse(created_at);
  switch (own.name) {
    case ROOM_UPDATED:
      return { ...state, settings: own.value };
    case TEAM_UPDATED:
      return changeTeam(state, own.value, nowMs);
    case ROOM_MESSAGE_ADDED:
      return addMessage(state, own.value, seq, nowMs);
    case ROOM_DISCUSSION_STARTED:
      return beginDiscussion(state, own.value, nowMs);
    case ROOM_ROUND_STARTED:
      return beginRound(state, own.value);
    case ROOM_TURN_STARTED:
      return advanceTurnStarted(state, own.value, nowMs);
    case ROOM_TURN_ENDED:
      return advanceTurnEnded(state, own.value);
    case ROOM_ROUND_ENDED:
      return withDiscussion(state, (discussion) => endRound(state, discussion));
    case ROOM_DISCUSSION_ENDED:
      return { ...state, discussion: null, last_end: { reason: own.value.reason, at: created_at } };
    case ROOM_INTERRUPTED:
      return interrupt(state, own.value, nowMs);
    case ROOM_DELIVERED:
      return changeMember(state, own.value.participant, (member) => ({
        ...member,
        heard_seq: Math.max(member.heard_seq, own.value.hears_to),
      }));
    case ROOM_TURN_WANTED:
      return wantTurn(state, own.value.participant);
    case ROOM_CLEARED:
      return { ...state, said: {}, unanswered: null, woken: [] };
    case ROOM_INPUT_REQUIRED:
      return state;
  }
}

function changeTeam(state: RoomState, value: TeamUpdatedValue, nowMs: number): RoomState {
  const known = new Map(state.members.map((member) => [member.name, member.heard_seq]));
  const from = new Map(value.joined.map(({ name, hears_from }) => [name, hears_from]));
  const members = value.members.map((member): RoomMember => {
    // Somebody new with a name that was there before is told what a newcomer is told.
    const heard_seq = from.get(member.name) ?? known.get(member.name) ?? 0;
    return { ...member, heard_seq };
  });
  const moderator = value.moderator && {
    ...value.moderator,
    heard_seq: state.moderator?.heard_seq ?? 0,
  };
  const names = new Set(members.map(({ name }) => name));
  const left = new Set(value.left);
  const changed = withDiscussion({ ...state, members, moderator }, (discussion) => ({
    ...discussion,
    turns: discussion.turns.map((turn) =>
      left.has(turn.participant) ? stopped(turn, "left", nowMs) : turn,
    ),
  }));
  return { ...changed, woken: changed.woken.filter((name) => names.has(name)) };
}

function addMessage(
  state: RoomState,
  { message, participant, mentions, turn_id, interrupts, announces }: RoomMessageValue,
  seq: number,
  nowMs: number,
): RoomState {
  const said = { ...state, said: { ...state.said, [participant ?? ROOM_SPEAKER]: seq } };
  if (announces) return said;
  if (turn_id !== null && said.discussion?.turns.some((turn) => turn.turn_id === turn_id)) {
    return withDiscussion(said, (discussion) => ({
      ...discussion,
      mentions: union(discussion.mentions, mentions),
      turns: discussion.turns.map((turn) =>
        turn.turn_id === turn_id ? { ...turn, ended: turn.ended ?? "completed" } : turn,
      ),
    }));
  }
  const unanswered = {
    message_id: message.id,
    mentions: union(state.unanswered?.mentions ?? [], mentions),
  };
  const waiting = { ...said, unanswered };
  return interrupts ? stopDiscussion(waiting, "interrupted", nowMs) : waiting;
}

function beginDiscussion(
  state: RoomState,
  { discussion, message_id }: RoomDiscussionStartedValue,
  nowMs: number,
): RoomState {
  return {
    ...state,
    discussions: discussion,
    unanswered: null,
    discussion: {
      discussion,
      message_id,
      started_ms: nowMs,
      rounds: 0,
      round: null,
      turns: [],
      tokens: 0,
      mentions: state.unanswered?.mentions ?? [],
      is_done: false,
      ending: null,
    },
  };
}

function beginRound(state: RoomState, { round, participants }: RoomRoundStartedValue): RoomState {
  const hears_to = newestSaid(state);
  // The participants of the round are those whom what was said before it names: all of it is taken up.
  return withDiscussion({ ...state, unanswered: null }, (discussion) => ({
    ...discussion,
    rounds: round,
    mentions: [],
    round: { round, hears_to, queue: participants, is_open: participants.length === 0 },
  }));
}

/** A round that ends before all have had their turns has spent the tokens, when nothing else has ended it. */
function endRound(state: RoomState, discussion: Discussion): Discussion {
  const { round, ending } = discussion;
  const isCut = round !== null && hasTurnsLeft(state, round);
  return { ...discussion, round: null, ending: ending ?? (isCut ? "max_tokens" : null) };
}

function interrupt(
  state: RoomState,
  { participant, reason }: RoomInterruptedValue,
  nowMs: number,
): RoomState {
  if (participant === null) {
    const stopping = stopDiscussion(state, reason, nowMs);
    // A person who stops the room does not want an answer to what waits for its turn.
    return reason === "interrupted" ? { ...stopping, unanswered: null } : stopping;
  }
  return withDiscussion(state, (discussion) => ({
    ...discussion,
    turns: discussion.turns.map((turn) =>
      turn.participant === participant ? stopped(turn, reason, nowMs) : turn,
    ),
  }));
}

function stopDiscussion(
  state: RoomState,
  reason: "interrupted" | "timeout",
  nowMs: number,
): RoomState {
  return withDiscussion(state, (discussion) => ({
    ...discussion,
    ending: discussion.ending ?? reason,
    turns: discussion.turns.map((turn) => stopped(turn, reason, nowMs)),
  }));
}

function wantTurn(state: RoomState, participant: string): RoomState {
  const isKnown =
    state.woken.includes(participant) || !state.members.some(({ name }) => name === participant);
  return isKnown ? state : { ...state, woken: [...state.woken, participant] };
}

function changeMember(
  state: RoomState,
  participant: string,
  change: (member: RoomMember) => RoomMember,
): RoomState {
  return {
    ...state,
    members: state.members.map((member) => (member.name === participant ? change(member) : member)),
  };
}

function withDiscussion(
  state: RoomState,
  change: (discussion: Discussion) => Discussion,
): RoomState {
  return state.discussion ? { ...state, discussion: change(state.discussion) } : state;
}

function union(before: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...before, ...more])];
}
