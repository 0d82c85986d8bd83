// Completes an answer: members of a tool call that the client left out are filled in from the call.
import type { ToolCallBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { ConfirmResult, EventOf } from "../../protocol/events.ts";
import { parseInput, parseJson } from "./parse-input.ts";
import { parseRepaired } from "./parse-repaired.ts";
import { countTurnCalls, type ReplyState } from "../state/reply-state.ts";

interface WrittenCall extends Omit<ToolCallBlock, "name" | "input"> {
  readonly name?: string | undefined;
  readonly input?: string | undefined;
}

interface WrittenConfirmation extends Omit<EventOf<"USER_CONFIRM_RESULT">, "confirm_results"> {
  readonly confirm_results: readonly (Omit<ConfirmResult, "tool_call"> & {
    readonly tool_call: WrittenCall;
  })[];
}

interface WrittenResult extends Omit<ToolResultBlock, "name"> {
  readonly name?: string | undefined;
}

interface WrittenExecution extends Omit<EventOf<"EXTERNAL_EXECUTION_RESULT">, "execution_results"> {
  readonly execution_results: readonly WrittenResult[];
}

export type WrittenAnswer = WrittenConfirmation | WrittenExecution;
/** An event that a client may post, with or without the names and inputs of its calls. */
export type WrittenEvent = WrittenAnswer | EventOf<"USER_INTERRUPT">;

/**
 * The event with every member. An input that is left out becomes the one that was asked about, also after an edit. For
 * an unknown call name and input are empty; it is refused by its id.
 * @param state Null for an unknown reply.
 */
export function completeAnswer(
  state: ReplyState | null,
  event: WrittenAnswer,
): EventOf<"USER_CONFIRM_RESULT" | "EXTERNAL_EXECUTION_RESULT"> {
  switch (event.type) {
    case "USER_CONFIRM_RESULT":
      return {
        ...event,
        confirm_results: event.confirm_results.map((result) => {
          const { type, id, name, input, ...rest } = result.tool_call;
          const own = findOwn(state, id);
          const tool_call = { type, id, name: name ?? own.name, input: input ?? own.input };
          return { ...result, tool_call: { ...tool_call, ...rest } };
        }),
      };
    case "EXTERNAL_EXECUTION_RESULT":
      return {
        ...event,
        execution_results: event.execution_results.map(({ type, id, name, ...rest }) => {
          return { type, id, name: name ?? findOwn(state, id).name, ...rest };
        }),
      };
    default:
      return event satisfies never;
  }
}

function findOwn(state: ReplyState | null, id: string): Pick<ToolCallBlock, "name" | "input"> {
  const call = state?.message.content.find(
    (block): block is ToolCallBlock => block.type === "tool_call" && block.id === id,
  );
  const original = state?.original_inputs.get(id);
  const input = original === undefined ? (call?.input ?? "") : askedInput(original, state);
  return { name: call?.name ?? "", input };
}

/**
 * A person is asked about the value that was read. Of a text that is not read any more, an earlier version of the
 * platform has asked about the repaired value.
 */
function askedInput(original: string, state: ReplyState | null): string {
  if (parseJson(original).ok) return original;
  const read = parseInput(original);
  const parsed = read.ok ? read : parseRepaired(original, state ? countTurnCalls(state) : 1);
  return parsed.ok ? JSON.stringify(parsed.input) : original;
}
