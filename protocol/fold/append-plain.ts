// The fold of all events without base64 deltas.
import { addUsage } from "./add-usage.ts";
import { addBlock, changeBlock } from "./append-content.ts";
import { appendCustom } from "./append-custom.ts";
import type { Base64Delta } from "./append-data.ts";
import {
  askForConfirmation,
  endToolResult,
  growResultText,
  growToolCall,
  startToolCall,
  startToolResult,
  submitCalls,
  takeConfirmation,
  takeExternalResults,
} from "./append-tools.ts";
import type { AgentEvent, EventOf } from "../events.ts";
import type { Msg } from "../messages/messages.ts";

/** The events that {@link appendPlain} handles; `appendData` handles the others. */
type PlainEvent = Exclude<AgentEvent, Base64Delta>;

type EventWithoutEffect = EventOf<
  "REPLY_START" | "MODEL_CALL_START" | "EXCEED_MAX_ITERS" | "USER_INTERRUPT"
>;

/** As `appendEvent`, for events without base64. */
export function appendPlain(message: Msg, event: PlainEvent): Msg {
  if (event.type === "CUSTOM") return appendCustom(message, event);
  if (event.reply_id !== message.id) return message;
  switch (event.type) {
    case "TEXT_BLOCK_DELTA":
      return changeBlock(message, "text", event.block_id, (block) =>
        event.delta ? { ...block, text: block.text + event.delta } : block,
      );
    case "THINKING_BLOCK_DELTA":
      return changeBlock(message, "thinking", event.block_id, (block) =>
        event.delta ? { ...block, thinking: block.thinking + event.delta } : block,
      );
    case "TOOL_CALL_DELTA":
      return growToolCall(message, event);
    case "TOOL_RESULT_TEXT_DELTA":
      return growResultText(message, event);

    case "TEXT_BLOCK_START":
      return addBlock(message, {
        type: "text",
        text: "",
        id: event.block_id,
        created_at: event.created_at,
        finished_at: null,
      });
    case "THINKING_BLOCK_START":
      return addBlock(message, {
        type: "thinking",
        thinking: "",
        id: event.block_id,
        created_at: event.created_at,
        finished_at: null,
      });
    case "DATA_BLOCK_START":
      return addBlock(message, {
        type: "data",
        id: event.block_id,
        source: { type: "base64", data: "", media_type: event.media_type },
        name: event.name,
        created_at: event.created_at,
        finished_at: null,
      });
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
        ...(Object.keys(event.metadata).length > 0 && { metadata: event.metadata }),
      });

    case "TEXT_BLOCK_END":
      return changeBlock(message, "text", event.block_id, (block) => ({
        ...block,
        text: event.text ?? block.text,
        finished_at: event.created_at,
      }));
    case "THINKING_BLOCK_END":
      return endBlock(message, "thinking", event.block_id, event.created_at, proofOf(event));
    case "DATA_BLOCK_END":
      return endBlock(message, "data", event.block_id, event.created_at);
    case "TOOL_CALL_END":
      return endBlock(message, "tool_call", event.tool_call_id, event.created_at, proofOf(event));
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
      return { ...message, usage: addUsage(message.usage, event) };
    case "REPLY_END":
      return {
        ...message,
        finished_at: event.created_at,
        finished_reason: event.finished_reason,
        error: event.error,
      };

    default:
      // Also event types newer than this version; the compiler checks that all known ones have a case.
      event satisfies EventWithoutEffect;
      return message;
  }
}

function proofOf({ metadata: { signature } }: AgentEvent): object | false {
  return typeof signature === "string" && signature !== "" && { signature };
}

/** @param more Members beyond AgentScope's events: the signature of a thought or a call. */
function endBlock(
  message: Msg,
  type: "thinking" | "data" | "tool_call",
  id: string,
  finished_at: string,
  more?: object | false,
): Msg {
  return changeBlock(message, type, id, (block) => ({ ...block, finished_at, ...more }));
}
