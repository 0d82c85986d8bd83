// Events of participants' replies in the fold of a room's log.
import type { EventOf, LoggedEvent } from "../../protocol/events.ts";
import { MODERATOR, TURN_ID, type TurnEnd } from "../../protocol/rooms/events.ts";
import { advancePending } from "./pending-calls.ts";
import type { OpenReply, OpenTurn, RoomMember, RoomState } from "./room-state.ts";

export function advanceReply(state: RoomState, event: LoggedEvent, participant: string): RoomState {
  if (event.type === "REPLY_START") return startReply(state, event, participant);
  const reply = openReply(state, event, participant);
  if (!reply) return state;
  const pending = advancePending(state.pending, event, reply);
  const changed = pending === state.pending ? state : { ...state, pending };
  if (event.type === "REPLY_END") return endReply(changed, event, participant);
  if (event.type !== "MODEL_CALL_END" || !changed.discussion) return changed;
  const tokens = changed.discussion.tokens + event.input_tokens + event.output_tokens;
  return { ...changed, discussion: { ...changed.discussion, tokens } };
}

function openReply(state: RoomState, event: LoggedEvent, participant: string): OpenReply | null {
  const found = state.replies.find(({ reply_id }) => reply_id === event.reply_id);
  return found?.participant === participant ? found : null;
}

function startReply(
  state: RoomState,
  { reply_id, session_id, metadata }: EventOf<"REPLY_START">,
  participant: string,
): RoomState {
  if (state.replies.some((reply) => reply.reply_id === reply_id)) return state;
  const named = metadata[TURN_ID];
  const turn_id = typeof named === "string" ? named : null;
  const started: RoomState = {
    ...state,
    replies: [...state.replies, { reply_id, session_id, turn_id, participant }],
  };
  const turn = started.discussion?.turns.find((open) => open.turn_id === turn_id);
  if (!turn) return started;
  return heard(changeTurn(started, turn, { ...turn, reply_id }), turn);
}

function endReply(state: RoomState, event: EventOf<"REPLY_END">, participant: string): RoomState {
  const { reply_id, seq = 0, finished_reason } = event;
  const ended: RoomState = {
    ...state,
    replies: state.replies.filter((reply) => reply.reply_id !== reply_id),
    // The moderator's words are for the room alone.
    said: participant === MODERATOR ? state.said : { ...state.said, [participant]: seq },
  };
  const turn = ended.discussion?.turns.find((open) => open.reply_id === reply_id);
  if (!turn) return ended;
  const reason: TurnEnd =
    finished_reason === "interrupted" && turn.stopping ? turn.stopping.reason : finished_reason;
  return changeTurn(ended, turn, { ...turn, ended: reason });
}

function changeTurn(state: RoomState, before: OpenTurn, after: OpenTurn): RoomState {
  const { discussion } = state;
  if (!discussion) return state;
  const turns = discussion.turns.map((turn) => (turn === before ? after : turn));
  return { ...state, discussion: { ...discussion, turns } };
}

/** The reply has begun with its input: the session has what the others have said up to there. */
function heard(state: RoomState, { participant, hears_to }: OpenTurn): RoomState {
  const change = (member: RoomMember): RoomMember => ({
    ...member,
    heard_seq: Math.max(member.heard_seq, hears_to),
  });
  if (participant === MODERATOR) {
    return { ...state, moderator: state.moderator && change(state.moderator) };
  }
  return {
    ...state,
    members: state.members.map((member) => (member.name === participant ? change(member) : member)),
  };
}
