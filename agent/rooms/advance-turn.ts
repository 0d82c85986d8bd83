// Beginnings and ends of turns in the fold of a room's log.
import {
  MODERATOR,
  type RoomTurnEndedValue,
  type RoomTurnStartedValue,
  type TurnEnd,
} from "../../protocol/rooms/events.ts";
import { memberOf, speakersOf } from "./members.ts";
import type { Discussion, OpenTurn, RoomMember, RoomState } from "./room-state.ts";

export function advanceTurnStarted(
  state: RoomState,
  { turn_id, participant, round, hears_to }: RoomTurnStartedValue,
  nowMs: number,
): RoomState {
  const { discussion } = state;
  const member = memberOf(state, participant);
  if (!discussion || !member) return state;
  const turn: OpenTurn = {
    turn_id,
    participant,
    kind: participant === MODERATOR ? "moderator" : member.kind,
    round,
    hears_from: member.heard_seq,
    hears_to: Math.max(hears_to, member.heard_seq),
    started_ms: nowMs,
    deadline_ms: deadlineOf(state, member, nowMs),
    reply_id: null,
    ended: null,
    stopping: null,
  };
  const round_ = discussion.round && {
    ...discussion.round,
    is_open: discussion.round.is_open && participant !== MODERATOR,
    queue: discussion.round.queue.filter((name) => name !== participant),
  };
  return {
    ...state,
    woken: state.woken.filter((name) => name !== participant),
    discussion: { ...discussion, round: round_, turns: [...discussion.turns, turn] },
  };
}

export function advanceTurnEnded(state: RoomState, value: RoomTurnEndedValue): RoomState {
  const { discussion } = state;
  if (!discussion) return state;
  const turns = discussion.turns.filter(({ turn_id }) => turn_id !== value.turn_id);
  if (turns.length === discussion.turns.length) return state;
  const closed = { ...discussion, turns };
  if (value.participant === MODERATOR) {
    return { ...state, discussion: moderated(state, closed, value) };
  }
  const mentions = [...new Set([...discussion.mentions, ...value.mentions])];
  return { ...state, discussion: { ...closed, mentions } };
}

/** The turn as one that is to stop; the first reason stays. */
export function stopped(turn: OpenTurn, reason: TurnEnd, nowMs: number): OpenTurn {
  return turn.stopping || turn.ended ? turn : { ...turn, stopping: { reason, at_ms: nowMs } };
}

function moderated(
  state: RoomState,
  discussion: Discussion,
  { next, reason }: RoomTurnEndedValue,
): Discussion {
  const { round } = discussion;
  if (reason !== "completed" || next === undefined || !round) {
    return { ...discussion, ending: discussion.ending ?? "moderator_failed" };
  }
  if (next === null) return { ...discussion, is_done: true };
  return speakersOf(state).includes(next)
    ? { ...discussion, round: { ...round, queue: [next] } }
    : { ...discussion, ending: discussion.ending ?? "moderator_failed" };
}

function deadlineOf({ settings }: RoomState, member: RoomMember, nowMs: number): number | null {
  const bounds = [
    settings.turn_timeout_ms,
    member.kind === "person" ? member.input_timeout_ms : null,
  ].filter((bound) => bound !== null);
  return bounds.length === 0 ? null : nowMs + Math.min(...bounds);
}
