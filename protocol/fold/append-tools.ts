// Tool calls and their results in the fold, with the answers of people and of systems outside.
import { addBlock, changeBlock, outputBlocks, outputTextBlock } from "./append-content.ts";
import type { ToolCallState } from "../messages/blocks.ts";
import type { EventOf } from "../events.ts";
import type { Msg } from "../messages/messages.ts";

export function startToolCall(message: Msg, event: EventOf<"TOOL_CALL_START">): Msg {
  return addBlock(message, {
    type: "tool_call",
    id: event.tool_call_id,
    name: event.tool_call_name,
    input: "",
    state: "pending",
    suggested_rules: [],
    created_at: event.created_at,
    finished_at: null,
  });
}

export function growToolCall(message: Msg, event: EventOf<"TOOL_CALL_DELTA">): Msg {
  if (event.delta === "") return message;
  return changeBlock(message, "tool_call", event.tool_call_id, (call) => ({
    ...call,
    input: call.input + event.delta,
  }));
}

function setToolCallState(message: Msg, id: string, state: ToolCallState): Msg {
  return changeBlock(message, "tool_call", id, (call) =>
    call.state === state ? call : { ...call, state },
  );
}

export function startToolResult(message: Msg, event: EventOf<"TOOL_RESULT_START">): Msg {
  return addBlock(message, {
    type: "tool_result",
    id: event.tool_call_id,
    name: event.tool_call_name,
    output: [],
    state: "running",
    metadata: {},
    created_at: event.created_at,
    finished_at: null,
  });
}

/** Text is appended to the last block of the output if that is text, else it starts a new block. */
export function growResultText(message: Msg, event: EventOf<"TOOL_RESULT_TEXT_DELTA">): Msg {
  return changeBlock(message, "tool_result", event.tool_call_id, (result) => {
    const output = outputBlocks(result, event.created_at);
    const last = output.at(-1);
    if (last?.type !== "text") {
      const block = outputTextBlock(result.id, output.length, event.delta, event.created_at);
      return { ...result, output: [...output, block] };
    }
    if (event.delta === "" && output === result.output) return result;
    const grown = { ...last, text: last.text + event.delta };
    return { ...result, output: [...output.slice(0, -1), grown] };
  });
}

/** Ends a result and its call; no effect without a result. */
export function endToolResult(message: Msg, event: EventOf<"TOOL_RESULT_END">): Msg {
  const ended = changeBlock(message, "tool_result", event.tool_call_id, (result) => ({
    ...result,
    state: event.state,
    metadata: event.metadata,
    finished_at: event.created_at,
  }));
  return ended === message ? message : setToolCallState(ended, event.tool_call_id, "finished");
}

/** As in the reference implementation there is no guard: even a finished call goes back to asking. */
export function askForConfirmation(message: Msg, event: EventOf<"REQUIRE_USER_CONFIRM">): Msg {
  return event.tool_calls.reduce(
    (folded, { id, suggested_rules }) =>
      changeBlock(folded, "tool_call", id, (call) => ({
        ...call,
        state: "asking",
        suggested_rules,
      })),
    message,
  );
}

/**
 * Only calls in state `asking` accept an answer. Edits and rules are not applied here: `tool_call_edited` carries an
 * edit.
 */
export function takeConfirmation(message: Msg, event: EventOf<"USER_CONFIRM_RESULT">): Msg {
  return event.confirm_results.reduce(
    (folded, { confirmed, tool_call }) =>
      changeBlock(folded, "tool_call", tool_call.id, (call) =>
        call.state === "asking" ? { ...call, state: confirmed ? "allowed" : "finished" } : call,
      ),
    message,
  );
}

export function submitCalls(message: Msg, event: EventOf<"REQUIRE_EXTERNAL_EXECUTION">): Msg {
  return event.tool_calls.reduce(
    (folded, { id }) => setToolCallState(folded, id, "submitted"),
    message,
  );
}

/**
 * Adds results for ids that had none before this event; two with the same id in one event are both added. The call's
 * state is unchanged until `TOOL_RESULT_END`.
 */
export function takeExternalResults(
  message: Msg,
  event: EventOf<"EXTERNAL_EXECUTION_RESULT">,
): Msg {
  const known = new Set(
    message.content.filter((block) => block.type === "tool_result").map((block) => block.id),
  );
  const added = event.execution_results
    .filter((result) => !known.has(result.id))
    .map((result) => ({ ...result, finished_at: result.finished_at ?? event.created_at }));
  if (added.length === 0) return message;
  return { ...message, content: [...message.content, ...added] };
}
