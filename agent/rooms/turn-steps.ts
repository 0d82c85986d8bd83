// The steps of one open turn. Pure.
import { STOP_GRACE_MS } from "./limits.ts";
import type { Discussion, OpenTurn, RoomState } from "./room-state.ts";
import type { RoomStep } from "./room-step.ts";
import type { TurnEnd } from "../../protocol/rooms/events.ts";

export function turnSteps(
  state: RoomState,
  discussion: Discussion,
  turn: OpenTurn,
  nowMs: number,
): readonly RoomStep[] {
  const { turn_id, participant, reply_id, ended, stopping, deadline_ms } = turn;
  if (ended) return [endTurn(turn, ended)];
  const isDue = deadline_ms !== null && nowMs >= deadline_ms;
  if (turn.kind === "person") {
    if (stopping) return [endTurn(turn, stopping.reason)];
    return isDue ? [endTurn(turn, "timeout")] : [];
  }
  if (stopping) {
    return nowMs >= stopping.at_ms + STOP_GRACE_MS
      ? [endTurn(turn, stopping.reason)]
      : [{ type: "stop_reply", participant, turn_id, reply_id }];
  }
  if (isDue) return [{ type: "time_out", participant }];
  const isBusy = state.replies.some((reply) => reply.participant === participant);
  if (reply_id !== null || isBusy) return [];
  const { hears_from, hears_to } = turn;
  const { max_tokens } = state.settings;
  const tokens_left = max_tokens === null ? null : Math.max(max_tokens - discussion.tokens, 0);
  return [{ type: "run_turn", turn_id, participant, hears_from, hears_to, tokens_left }];
}

function endTurn(turn: OpenTurn, reason: TurnEnd): RoomStep {
  const { turn_id, participant, round, reply_id } = turn;
  return { type: "end_turn", turn_id, participant, round, reason, reply_id };
}
