// Words and deeds of a participant in a turn, as a client of the room is told them: with the turn's tag, and under ids that no
// other turn has.
import type { RoomMessage } from "../../../rooms/fold.ts";
import { calledId, ofLane } from "../called/called-events.ts";
import type { AgUiEvent, AgUiInterrupt } from "../wire/events.ts";
import { toAgUiMessages, type AgUiMessage } from "../wire/messages.ts";

/** The lane of a turn, and whose it is. */
export interface Speaker {
  /** The turn's id: its `subagentRunId`. */
  readonly id: string;
  readonly name: string;
}

/** Pure. The event as one of the turn; null for what the room does not tell: states, steps, and agents that it has called. */
export function ofTurn({ id, name }: Speaker, event: AgUiEvent): AgUiEvent | null {
  if ("subagentRunId" in event) return null;
  switch (event.type) {
    case "TEXT_MESSAGE_START":
      return ofLane(id, { ...event, name });
    case "TEXT_MESSAGE_CONTENT":
    case "TEXT_MESSAGE_END":
    case "TOOL_CALL_START":
    case "TOOL_CALL_ARGS":
    case "TOOL_CALL_END":
    case "TOOL_CALL_RESULT":
      return ofLane(id, event);
    case "REASONING_START":
    case "REASONING_MESSAGE_START":
    case "REASONING_MESSAGE_CONTENT":
    case "REASONING_MESSAGE_END":
    case "REASONING_END":
    case "ACTIVITY_SNAPSHOT":
    case "ACTIVITY_DELTA":
      return { ...event, messageId: calledId(id, event.messageId), subagentRunId: id };
    case "CUSTOM":
      return { ...event, subagentRunId: id };
    default:
      return null;
  }
}

/** Pure. The messages of a reply as those of its turn. */
export function messagesOfTurn(
  { id: laneId, name }: Speaker,
  messages: readonly AgUiMessage[],
): readonly AgUiMessage[] {
  return messages.flatMap((message): AgUiMessage[] => {
    if ("subagentRunId" in message) return [];
    const owned = { id: calledId(laneId, message.id), subagentRunId: laneId };
    switch (message.role) {
      case "assistant": {
        const { toolCalls, ...said } = message;
        const calls = toolCalls?.map((call) => ({ ...call, id: calledId(laneId, call.id) }));
        return [{ ...said, ...owned, name, ...(calls && { toolCalls: calls }) }];
      }
      case "tool":
        return [{ ...message, ...owned, toolCallId: calledId(laneId, message.toolCallId) }];
      case "reasoning":
      case "activity":
        return [{ ...message, ...owned }];
      default:
        return [];
    }
  });
}

/** Pure. A message of a room as its clients hold it, for what was said before a run. */
export function toRoomMessages({
  message,
  participant,
  turn_id,
}: Pick<RoomMessage, "message" | "participant" | "turn_id">): readonly AgUiMessage[] {
  const messages = toAgUiMessages(message);
  if (message.role !== "assistant") return messages;
  const speaker = { id: turn_id ?? message.id, name: participant ?? message.name };
  return messagesOfTurn(speaker, messages);
}

/** Pure. A question of the participant, or of an agent that it has called: then it is one about the call that it works for. */
export function interruptOfTurn(
  { id }: Speaker,
  { toolCallId, ...interrupt }: AgUiInterrupt,
): AgUiInterrupt {
  const { callId } = interrupt.metadata["agentscope"] as { readonly callId?: unknown };
  const isCalled = interrupt.subagentRunId !== undefined && typeof callId === "string";
  const call = isCalled ? callId : toolCallId;
  return {
    ...interrupt,
    ...(call !== undefined && { toolCallId: calledId(id, call) }),
    subagentRunId: id,
  };
}
