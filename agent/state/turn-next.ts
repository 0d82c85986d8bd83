// The step that follows a turn of an agent in code over HTTP, as its server has said. It is a step of the log's journal, written with the
// end of the turn, so that every execution goes on alike.
import { AGENT_STEP } from "../../protocol/agents/events.ts";
import { TURN_NEXTS, type TurnNext } from "../../protocol/agents/turn-next.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { ReplyState } from "./reply-state.ts";

type Turns = Pick<ReplyState, "agent_steps" | "completed_turns">;

/**
 * The word of the turn that comes next in `state`. @param next Null where the server has not said any: its calls are run
 * and it is asked again, and a turn without calls is the last one.
 */
export function turnStep(
  { message, completed_turns }: ReplyState,
  next: TurnNext | null,
): EventDraft {
  const { id: reply_id } = message;
  const value = { reply_id, step: stepOf(completed_turns.length + 1), kind: "value", value: next };
  return { type: "CUSTOM", name: AGENT_STEP, reply_id, value };
}

/** The step of a turn that the server has not given: the model loop goes on. */
export function handOverStep({ message: { id: reply_id } }: ReplyState): EventDraft {
  const value = { reply_id, step: `${PREFIX}failed`, kind: "value", value: "loop" };
  return { type: "CUSTOM", name: AGENT_STEP, reply_id, value };
}

/** The word of the last completed turn; undefined when the agent's own model has given that, or there is none. */
export function nextOfTurn({ agent_steps, completed_turns }: Turns): TurnNext | null | undefined {
  const step = agent_steps.get(stepOf(completed_turns.length));
  return step && (TURN_NEXTS.find((next) => next === step.value) ?? null);
}

/** Whether the server has left the rest of the reply to the model loop. */
export function isHandedOver({ agent_steps }: Turns): boolean {
  for (const { value, step } of agent_steps.values()) {
    if (value === "loop" && step.startsWith(PREFIX)) return true;
  }
  return false;
}

/** Whether the turn that is open, or comes next, is the server's, and not one of the agent's own model. */
export function isServersTurn(turns: Turns): boolean {
  return !isHandedOver(turns) && nextOfTurn(turns) !== "model";
}

/** Whether nothing follows the last completed turn, whose calls have their results. */
export function isLastTurn(state: ReplyState): boolean {
  if (state.is_model_call_open) return false;
  const next = nextOfTurn(state);
  return next === "end" || (next === null && !hasCalls(state));
}

/** Of the last completed turn, also where one behind it was taken back. */
function hasCalls({ completed_turns, message }: ReplyState): boolean {
  return message.content.slice(completed_turns.at(-1)).some(({ type }) => type === "tool_call");
}

const PREFIX = "turn.";

function stepOf(turn: number): string {
  return `${PREFIX}${turn}`;
}
