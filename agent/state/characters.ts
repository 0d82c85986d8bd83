// Approximate sizes of events and of blocks, counted alike, so that taking output back frees the room that it took.
import { HOOK_ANSWERED } from "../../protocol/hooks/events.ts";
import { TOOL_PROGRESS } from "../../protocol/tools/events.ts";
import { STRUCTURED_OUTPUT, TOOL_CALL_EDITED } from "../../protocol/fold/append-custom.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { AgentEvent, EventOf } from "../../protocol/events.ts";
import { TOLD_BY } from "../../protocol/told/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

/** UTF-16 units that an event adds to its message. Deltas are checked first, since most events are deltas. */
export function eventCharacters(event: AgentEvent): number {
  if ("delta" in event) return event.delta.length;
  switch (event.type) {
    case "DATA_BLOCK_DELTA":
    case "TOOL_RESULT_DATA_DELTA":
      return (event.data ?? event.url ?? "").length;
    case "TOOL_CALL_START":
    case "TOOL_RESULT_START":
      return event.tool_call_name.length;
    case "THINKING_BLOCK_END":
    case "TOOL_CALL_END":
      return textCharacters(event.metadata["signature"]);
    case "HINT_BLOCK":
      return hintCharacters(event.hint);
    case "TOOL_RESULT_END":
      return jsonCharacters(event.metadata);
    case "CUSTOM":
      return customCharacters(event);
    default:
      return 0;
  }
}

/** UTF-16 units of a message's blocks. */
export function contentCharacters({ content }: Msg): number {
  return content.reduce((sum, block) => sum + blockCharacters(block), 0);
}

function blockCharacters(block: ContentBlock): number {
  switch (block.type) {
    case "text":
      return block.text.length;
    case "thinking":
      return block.thinking.length + textCharacters(block["signature"]);
    case "tool_call":
      return block.name.length + block.input.length + textCharacters(block.signature);
    case "data":
      return block.source.type === "base64" ? block.source.data.length : block.source.url.length;
    case "tool_result": {
      const { output } = block;
      const said = typeof output === "string" ? output.length : sumOf(output);
      return block.name.length + said + jsonCharacters(block.metadata);
    }
    case "hint":
      return hintCharacters(block.hint);
    default:
      return block satisfies never;
  }
}

function sumOf(blocks: readonly ContentBlock[]): number {
  return blocks.reduce((sum, block) => sum + blockCharacters(block), 0);
}

function hintCharacters(hint: EventOf<"HINT_BLOCK">["hint"]): number {
  return typeof hint === "string" ? hint.length : sumOf(hint);
}

/** Sizes of the custom events that the fold applies; of a hook's answer, of progress and of what a service tells what they add to the log. */
function customCharacters({ name, value, metadata }: EventOf<"CUSTOM">): number {
  if (metadata[TOLD_BY] !== undefined) return jsonCharacters(value);
  if (name === TOOL_CALL_EDITED) return textCharacters(value["input"]);
  if (name === HOOK_ANSWERED) return value["change"] ? jsonCharacters(value["change"]) : 0;
  if (name === TOOL_PROGRESS) return textCharacters(value["message"]);
  return name === STRUCTURED_OUTPUT ? jsonCharacters(value["output"]) : 0;
}

function textCharacters(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

/**
 * 0 for an empty object, the common case, and for nesting that is too deep to serialise: the log is read again whatever
 * it holds, and the fold never throws.
 */
function jsonCharacters(value: unknown): number {
  try {
    const text = JSON.stringify(value) ?? "";
    return text === "{}" ? 0 : text.length;
  } catch {
    return 0;
  }
}
