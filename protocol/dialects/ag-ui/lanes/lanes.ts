// The start and end events of each kind of lane (text, reasoning, tool call, step) that a run streams.
import type { Lane } from "./open-lanes.ts";

export function textLane(messageId: string): Lane {
  return {
    starts: [{ type: "TEXT_MESSAGE_START", messageId, role: "assistant" }],
    ends: [{ type: "TEXT_MESSAGE_END", messageId }],
  };
}

export function reasoningLane(messageId: string): Lane {
  return {
    starts: [
      { type: "REASONING_START", messageId },
      { type: "REASONING_MESSAGE_START", messageId, role: "reasoning" },
    ],
    ends: [
      { type: "REASONING_MESSAGE_END", messageId },
      { type: "REASONING_END", messageId },
    ],
  };
}

export function callLane(toolCallId: string, toolCallName: string, parentMessageId: string): Lane {
  return {
    starts: [{ type: "TOOL_CALL_START", toolCallId, toolCallName, parentMessageId }],
    ends: [{ type: "TOOL_CALL_END", toolCallId }],
  };
}

export function stepLane(stepName: string): Lane {
  return {
    starts: [{ type: "STEP_STARTED", stepName }],
    ends: [{ type: "STEP_FINISHED", stepName }],
  };
}
