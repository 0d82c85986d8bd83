// The events of a room's steps. Pure.
import type { EventDraft } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import {
  MODERATOR,
  ROOM_DISCUSSION_ENDED,
  ROOM_DISCUSSION_STARTED,
  ROOM_INPUT_REQUIRED,
  ROOM_INTERRUPTED,
  ROOM_ROUND_ENDED,
  ROOM_ROUND_STARTED,
  ROOM_TURN_ENDED,
  ROOM_TURN_STARTED,
  roomEvent,
  type RoomTurnEndedValue,
} from "../../protocol/rooms/events.ts";
import { findMentions } from "./find-mentions.ts";
import { memberOf, speakersOf } from "./members.ts";
import { readNext } from "./moderator.ts";
import type { RoomState } from "./room-state.ts";
import type { CommittedStep } from "./room-step.ts";

/** The outside of {@link stepEvents}. */
export interface StepSource {
  /** An id that no turn has had. */
  newTurnId(): string;
  readonly nowMs: number;
  /** The message of a reply that has ended. */
  messageOf(replyId: string): Msg | null;
}

/** The events of a step, to be one commit. */
export function stepEvents(
  step: CommittedStep,
  state: RoomState,
  source: StepSource,
): readonly EventDraft[] {
  const discussion = state.discussion?.discussion ?? state.discussions;
  switch (step.type) {
    case "begin_discussion": {
      const { message_id } = step;
      return [roomEvent(ROOM_DISCUSSION_STARTED, { discussion: discussion + 1, message_id })];
    }
    case "begin_round": {
      const { round, participants } = step;
      const { order } = state.settings;
      return [roomEvent(ROOM_ROUND_STARTED, { discussion, round, order, participants })];
    }
    case "begin_turn":
    case "ask_moderator":
    case "await_person":
      return beginTurn(step, state, source);
    case "time_out":
      return [roomEvent(ROOM_INTERRUPTED, { participant: step.participant, reason: "timeout" })];
    case "end_turn": {
      const value = turnEnd(step, state, source);
      return [roomEvent(ROOM_TURN_ENDED, value, step.participant)];
    }
    case "end_round":
      return [roomEvent(ROOM_ROUND_ENDED, { discussion, round: step.round })];
    case "end_discussion":
      return [roomEvent(ROOM_DISCUSSION_ENDED, { discussion, reason: step.reason })];
  }
}

type Begin = Extract<CommittedStep, { type: "begin_turn" | "ask_moderator" | "await_person" }>;
type EndTurn = Extract<CommittedStep, { type: "end_turn" }>;

function beginTurn(step: Begin, state: RoomState, source: StepSource): readonly EventDraft[] {
  const { round, hears_to } = step;
  const participant = step.type === "ask_moderator" ? MODERATOR : step.participant;
  const discussion = state.discussion?.discussion ?? state.discussions;
  const turn_id = source.newTurnId();
  const value = { turn_id, participant, discussion, round, hears_to };
  const started = roomEvent(ROOM_TURN_STARTED, value, participant);
  const member = memberOf(state, participant);
  if (step.type !== "await_person" || member?.kind !== "person") return [started];
  const bounds = [member.input_timeout_ms, state.settings.turn_timeout_ms].filter(
    (bound) => bound !== null,
  );
  const expires_at =
    bounds.length === 0 ? null : new Date(source.nowMs + Math.min(...bounds)).toISOString();
  const required = { turn_id, participant, form: member.form, expires_at };
  return [started, roomEvent(ROOM_INPUT_REQUIRED, required, participant)];
}

function turnEnd(step: EndTurn, state: RoomState, source: StepSource): RoomTurnEndedValue {
  const { turn_id, participant, round, reason, reply_id } = step;
  const discussion = state.discussion?.discussion ?? state.discussions;
  const message = reply_id === null ? null : source.messageOf(reply_id);
  const isModerator = participant === MODERATOR;
  const next = isModerator && message ? readNext(message, speakersOf(state)) : undefined;
  const names = state.members.map(({ name }) => name).filter((name) => name !== participant);
  return {
    turn_id,
    participant,
    discussion,
    round,
    reason,
    reply_id,
    mentions: message && !isModerator ? findMentions(message, names) : [],
    ...(next !== undefined && { next }),
    error: reason === "error" ? (message?.error ?? null) : null,
  };
}
