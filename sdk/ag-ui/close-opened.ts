import type { SseFrame } from "../../protocol/sse.ts";

/** Start event type → its end event type and the member that holds their common id. */
const ENDS: Readonly<Record<string, readonly [type: string, member: string]>> = {
  STEP_STARTED: ["STEP_FINISHED", "stepName"],
  TEXT_MESSAGE_START: ["TEXT_MESSAGE_END", "messageId"],
  REASONING_START: ["REASONING_END", "messageId"],
  REASONING_MESSAGE_START: ["REASONING_MESSAGE_END", "messageId"],
  TOOL_CALL_START: ["TOOL_CALL_END", "toolCallId"],
};

/** The end events for everything that these frames opened, last opened first. */
export function closeOpened(frames: readonly SseFrame[]): readonly object[] {
  return [...frames].reverse().flatMap(({ event, data }) => {
    const [type, member] = ENDS[event] ?? [];
    if (type === undefined || member === undefined) return [];
    return [{ type, [member]: (JSON.parse(data) as Record<string, unknown>)[member] }];
  });
}
