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

/** The turn of a called agent's lane in a room; null for the lane of a turn itself, whose id has no colon. */
export function callingTurnOf(laneId: string): string | null {
  const end = laneId.indexOf(":");
  return end < 0 ? null : laneId.slice(0, end);
}

/** Pure. The event as one of the turn, or of an agent that it has called; null for what the room does not tell: states and steps. */
export function ofTurn({ id, name }: Speaker, event: AgUiEvent): AgUiEvent | null {
  if ("subagentRunId" in event && event.subagentRunId !== undefined) {
    return ofCalled(id, event, event.subagentRunId);
  }
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

/** A called agent's lane is below that of the turn, or of the agent that has called it. */
function ofCalled(turnId: string, event: AgUiEvent, laneId: string): AgUiEvent {
  const subagentRunId = calledId(turnId, laneId);
  if (event.type === "SUBAGENT_STARTED") {
    const { parentSubagentRunId: parent, parentToolCallId: call } = event;
    return {
      ...event,
      subagentRunId,
      parentSubagentRunId: parent === undefined ? turnId : calledId(turnId, parent),
      ...(call !== undefined && { parentToolCallId: calledId(turnId, call) }),
    };
  }
  return { ...ofLane(turnId, event), subagentRunId } as AgUiEvent;
}

/** Pure. The messages of a reply as those of its turn, and of the agents that it has called. */
export function messagesOfTurn(
  { id: laneId, name }: Speaker,
  messages: readonly AgUiMessage[],
): readonly AgUiMessage[] {
  return messages.flatMap((message): AgUiMessage[] => {
    const called = "subagentRunId" in message ? message.subagentRunId : undefined;
    const subagentRunId = called === undefined ? laneId : calledId(laneId, called);
    const owned = { id: calledId(laneId, message.id), subagentRunId };
    switch (message.role) {
      case "assistant": {
        const { toolCalls, ...said } = message;
        const calls = toolCalls?.map((call) => ({ ...call, id: calledId(laneId, call.id) }));
        const speaker = called === undefined ? { name } : {};
        return [{ ...said, ...owned, ...speaker, ...(calls && { toolCalls: calls }) }];
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

/** Pure. A question of the participant, or of an agent that it has called. */
export function interruptOfTurn(
  { id }: Speaker,
  { toolCallId, subagentRunId: called, ...interrupt }: AgUiInterrupt,
): AgUiInterrupt {
  return {
    ...interrupt,
    ...(toolCallId !== undefined && { toolCallId: calledId(id, toolCallId) }),
    subagentRunId: called === undefined ? id : calledId(id, called),
  };
}

/** Pure. The question without its lane: of a called agent it is then one about the participant's call that it works for. */
export function questionWithoutLane({ subagentRunId, ...interrupt }: AgUiInterrupt): AgUiInterrupt {
  const turnId = subagentRunId === undefined ? null : callingTurnOf(subagentRunId);
  const { callId } = interrupt.metadata["agentscope"] as { readonly callId?: unknown };
  if (turnId === null || typeof callId !== "string") return interrupt;
  return { ...interrupt, toolCallId: calledId(turnId, callId) };
}
