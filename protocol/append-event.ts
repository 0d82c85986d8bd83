// The fold: events become the message that they describe. The object that stores it, the SDK and the console
// run this same function, so what one of them shows is what the others hold, byte for byte.
import { addBlock, changeBlock } from "./append-content.ts";
import { appendCustom } from "./append-custom.ts";
import { growData, startData } from "./append-data.ts";
import {
  askForConfirmation,
  endToolResult,
  growResultData,
  growResultText,
  growToolCall,
  startToolCall,
  startToolResult,
  submitCalls,
  takeConfirmation,
  takeExternalResults,
} from "./append-tools.ts";
import type { AgentEvent, EventOf } from "./events.ts";
import type { Msg } from "./messages.ts";

/**
 * The message after `event`. Neither argument is changed; what the event does not touch is shared, and an
 * event without effect (another reply's, an unknown block's, an unknown type) gives back the same message.
 * Never throws on events that passed their schema, and takes every id and time from the event, so that all
 * readers get the same JSON.
 *
 * Not idempotent: a reader drops events whose `seq` it has seen.
 *
 * Cost: one new object per level and a copy of the list of blocks, whatever their size.
 */
export function appendEvent(message: Msg, event: AgentEvent): Msg {
  if (event.type === "CUSTOM") return appendCustom(message, event);
  if (event.reply_id !== message.id) return message;
  switch (event.type) {
    case "TEXT_BLOCK_DELTA":
    case "THINKING_BLOCK_DELTA":
      return growText(message, event);
    case "TOOL_CALL_DELTA":
      return growToolCall(message, event);
    case "TOOL_RESULT_TEXT_DELTA":
      return growResultText(message, event);
    case "DATA_BLOCK_DELTA":
      return growData(message, event);
    case "TOOL_RESULT_DATA_DELTA":
      return growResultData(message, event);

    case "TEXT_BLOCK_START":
    case "THINKING_BLOCK_START":
      return startText(message, event);
    case "DATA_BLOCK_START":
      return startData(message, event);
    case "TOOL_CALL_START":
      return startToolCall(message, event);
    case "TOOL_RESULT_START":
      return startToolResult(message, event);
    case "HINT_BLOCK":
      return addBlock(message, {
        type: "hint",
        hint: event.hint,
        id: event.block_id,
        source: event.source,
        created_at: event.created_at,
        finished_at: event.created_at,
      });

    case "TEXT_BLOCK_END":
      return changeBlock(message, "text", event.block_id, (block) => ({
        ...block,
        text: event.text ?? block.text,
        finished_at: event.created_at,
      }));
    case "THINKING_BLOCK_END":
      return endBlock(message, "thinking", event.block_id, event.created_at);
    case "DATA_BLOCK_END":
      return endBlock(message, "data", event.block_id, event.created_at);
    case "TOOL_CALL_END":
      return endBlock(message, "tool_call", event.tool_call_id, event.created_at);
    case "TOOL_RESULT_END":
      return endToolResult(message, event);

    case "REQUIRE_USER_CONFIRM":
      return askForConfirmation(message, event);
    case "USER_CONFIRM_RESULT":
      return takeConfirmation(message, event);
    case "REQUIRE_EXTERNAL_EXECUTION":
      return submitCalls(message, event);
    case "EXTERNAL_EXECUTION_RESULT":
      return takeExternalResults(message, event);

    case "MODEL_CALL_END":
      return addUsage(message, event);
    case "REPLY_END":
      return {
        ...message,
        finished_at: event.created_at,
        finished_reason: event.finished_reason,
        error: event.error,
      };

    case "REPLY_START":
    case "MODEL_CALL_START":
    case "EXCEED_MAX_ITERS":
    case "USER_INTERRUPT":
      return message;
    default:
      return ignore(message, event);
  }
}

/** The empty message that `REPLY_START` opens. */
export function startMessage(event: EventOf<"REPLY_START">): Msg {
  return {
    name: event.name,
    content: [],
    role: event.role,
    id: event.reply_id,
    metadata: {},
    created_at: event.created_at,
    usage: null,
    finished_at: null,
    finished_reason: null,
    structured_output: null,
    error: null,
  };
}

/** The message of the first reply that starts in `events`, or null when none does. */
export function foldEvents(events: Iterable<AgentEvent>): Msg | null {
  let message: Msg | null = null;
  for (const event of events) {
    if (message) message = appendEvent(message, event);
    else if (event.type === "REPLY_START") message = startMessage(event);
  }
  return message;
}

function startText(message: Msg, event: EventOf<"TEXT_BLOCK_START" | "THINKING_BLOCK_START">): Msg {
  const { block_id: id, created_at } = event;
  return event.type === "TEXT_BLOCK_START"
    ? addBlock(message, { type: "text", text: "", id, created_at, finished_at: null })
    : addBlock(message, { type: "thinking", thinking: "", id, created_at, finished_at: null });
}

function growText(message: Msg, event: EventOf<"TEXT_BLOCK_DELTA" | "THINKING_BLOCK_DELTA">): Msg {
  const { block_id, delta } = event;
  if (delta === "") return message;
  return event.type === "TEXT_BLOCK_DELTA"
    ? changeBlock(message, "text", block_id, (block) => ({ ...block, text: block.text + delta }))
    : changeBlock(message, "thinking", block_id, (block) => ({
        ...block,
        thinking: block.thinking + delta,
      }));
}

function endBlock(
  message: Msg,
  type: "thinking" | "data" | "tool_call",
  id: string,
  finished_at: string,
): Msg {
  return changeBlock(message, type, id, (block) => ({ ...block, finished_at }));
}

function addUsage(message: Msg, event: EventOf<"MODEL_CALL_END">): Msg {
  const { usage } = message;
  return {
    ...message,
    usage: {
      input_tokens: (usage?.input_tokens ?? 0) + event.input_tokens,
      output_tokens: (usage?.output_tokens ?? 0) + event.output_tokens,
      cache_input_tokens: (usage?.cache_input_tokens ?? 0) + event.cache_input_tokens,
      cache_creation_input_tokens:
        (usage?.cache_creation_input_tokens ?? 0) + event.cache_creation_input_tokens,
    },
  };
}

/** Of an event that this version does not know; the compiler sees to it that it knows its own. */
function ignore(message: Msg, _event: never): Msg {
  return message;
}
