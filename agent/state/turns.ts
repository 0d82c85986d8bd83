// The turns of a reply: where they begin in its message, and what becomes of them when a hook changes its blocks.
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { movedPlaces } from "./moved-places.ts";

export interface ReplyTurns {
  /** Completed rounds: a model call and a result for each of its calls. */
  readonly iterations: number;
  /** Index in `message.content` at which the blocks of the last model call begin. */
  readonly turn_start: number;
  /** For each completed model call, where in `message.content` its blocks begin. */
  readonly completed_turns: readonly number[];
  /** A hook has taken away all that the last model call had said: nothing follows from it. */
  readonly is_answer_gone: boolean;
}

/** A turn that begins behind all that the message has. */
export function beginTurn({ content }: Msg): Pick<ReplyTurns, "turn_start" | "is_answer_gone"> {
  return { turn_start: content.length, is_answer_gone: false };
}

/** Whether a call of the turn has no result. A denied call is `finished` before its result is there. */
export function isRoundOpen(turn: readonly ContentBlock[]): boolean {
  const ended = new Set(
    turn.flatMap((block) =>
      block.type === "tool_result" && block.state !== "running" ? [block.id] : [],
    ),
  );
  return turn.some((block) => block.type === "tool_call" && !ended.has(block.id));
}

/** The turns of a message from which a hook has taken blocks, or into which it has put some. */
export function arrangedTurns(
  { iterations, turn_start, completed_turns, is_answer_gone }: ReplyTurns,
  { content: before }: Msg,
  { content: after }: Msg,
): ReplyTurns {
  const move = movedPlaces(before, after);
  const [turn, next] = [before.slice(turn_start), after.slice(move(turn_start))];
  // Without its calls the round is over, and counts.
  const isRoundClosed = isRoundOpen(turn) && !isRoundOpen(next);
  return {
    iterations: iterations + (isRoundClosed ? 1 : 0),
    turn_start: move(turn_start),
    completed_turns: completed_turns.map(move),
    is_answer_gone: is_answer_gone || (turn.some(isSaid) && !next.some(isSaid)),
  };
}

function isSaid({ type }: ContentBlock): boolean {
  return type === "text" || type === "data" || type === "tool_call";
}
