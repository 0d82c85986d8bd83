import type { AgUiEvent } from "../wire/events.ts";
import { findBlock } from "./find-block.ts";
import { reasoningLane, textLane } from "./lanes.ts";
import type { OpenLanes } from "./open-lanes.ts";
import type { ReplyFold, TextDelta } from "../reply-fold.ts";

/** The AG-UI events of a delta; never an empty delta. @param fold Already contains the delta. */
export function translateDelta(
  event: TextDelta,
  lanes: OpenLanes,
  fold: ReplyFold,
): readonly AgUiEvent[] {
  const { delta } = event;
  if (delta === "") return [];
  switch (event.type) {
    case "TEXT_BLOCK_DELTA": {
      const messageId = event.block_id;
      const grown: AgUiEvent = { type: "TEXT_MESSAGE_CONTENT", messageId, delta };
      if (lanes.has("text", messageId)) return [grown];
      // A delta after the END counts too: the text message is opened again for it.
      if (!findBlock(fold.message, "text", messageId)) return [];
      const { starts, ends } = textLane(messageId);
      return [...starts, grown, ...ends];
    }
    case "THINKING_BLOCK_DELTA": {
      const messageId = event.block_id;
      const grown: AgUiEvent = { type: "REASONING_MESSAGE_CONTENT", messageId, delta };
      if (lanes.has("reasoning", messageId)) return [grown];
      if (!findBlock(fold.message, "thinking", messageId)) return [];
      const { starts, ends } = reasoningLane(messageId);
      return [...starts, grown, ...ends];
    }
    case "TOOL_CALL_DELTA": {
      const toolCallId = event.tool_call_id;
      const isOpen = lanes.has("call", toolCallId);
      return isOpen ? [{ type: "TOOL_CALL_ARGS", toolCallId, delta }] : [];
    }
    case "TOOL_RESULT_TEXT_DELTA":
      // A result is sent when it has ended.
      return [];
    default:
      return event satisfies never;
  }
}
