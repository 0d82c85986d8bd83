// Words and deeds of a called agent, as its caller's client is told them: with the agent's tag, and under ids that no message
// and no call of the caller has.
import type { AgUiEvent, AgUiInterrupt } from "../wire/events.ts";
import type { AgUiMessage } from "../wire/messages.ts";

/** The id in the caller's thread of a message or a call of a called agent. @param laneId The lane's `subagentRunId`. */
export function calledId(laneId: string, id: string): string {
  return `${laneId}:${id}`;
}

/** Pure. An event of the agent's lane; others than those of texts, calls and results stay as they are. */
export function ofLane(laneId: string, event: AgUiEvent): AgUiEvent {
  const owned = { subagentRunId: laneId };
  switch (event.type) {
    case "TEXT_MESSAGE_START":
    case "TEXT_MESSAGE_CONTENT":
    case "TEXT_MESSAGE_END":
      return { ...event, messageId: calledId(laneId, event.messageId), ...owned };
    case "TOOL_CALL_START": {
      const parentMessageId = calledId(laneId, event.parentMessageId);
      return {
        ...event,
        toolCallId: calledId(laneId, event.toolCallId),
        parentMessageId,
        ...owned,
      };
    }
    case "TOOL_CALL_ARGS":
    case "TOOL_CALL_END":
      return { ...event, toolCallId: calledId(laneId, event.toolCallId), ...owned };
    case "TOOL_CALL_RESULT": {
      const messageId = calledId(laneId, event.messageId);
      return { ...event, messageId, toolCallId: calledId(laneId, event.toolCallId), ...owned };
    }
    default:
      return event;
  }
}

/** Pure. The agent's texts, calls and results among the messages; nothing else of it was told. */
export function messagesOfLane(laneId: string, messages: readonly AgUiMessage[]): AgUiMessage[] {
  const owned = { subagentRunId: laneId };
  return messages.flatMap((message): AgUiMessage[] => {
    const id = calledId(laneId, message.id);
    if (message.role === "tool") {
      return [{ ...message, id, toolCallId: calledId(laneId, message.toolCallId), ...owned }];
    }
    if (message.role !== "assistant") return [];
    const { toolCalls, ...said } = message;
    const calls = toolCalls?.map((call) => ({ ...call, id: calledId(laneId, call.id) }));
    return [{ ...said, id, ...(calls && { toolCalls: calls }), ...owned }];
  });
}

/** Pure. A question of the agent. @param callId The caller's own call that the agent works for, at any depth. */
export function interruptOfLane(
  laneId: string,
  { toolCallId, metadata, ...interrupt }: AgUiInterrupt,
  callId: string,
): AgUiInterrupt {
  const agentscope = metadata["agentscope"] as object;
  return {
    ...interrupt,
    ...(toolCallId !== undefined && { toolCallId: calledId(laneId, toolCallId) }),
    metadata: { ...metadata, agentscope: { ...agentscope, sessionId: laneId, callId } },
    subagentRunId: laneId,
  };
}

/** The id of the message that an event begins. */
export function messageIdOf(event: AgUiEvent): string | null {
  if (event.type === "TEXT_MESSAGE_START") return event.messageId;
  return event.type === "TOOL_CALL_START" ? event.parentMessageId : null;
}
