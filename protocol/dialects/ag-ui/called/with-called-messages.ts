import type { AgUiMessage } from "../wire/messages.ts";

interface CalledMessages {
  /** The call of the reply that the agent works for. */
  readonly callId: string;
  readonly messages: readonly AgUiMessage[];
}

/**
 * Pure. A reply's messages with those of the agents that it has called, in the order in which a client builds them: behind
 * the results of the message that has the call, and each by the time of its first word. @param order Of assistants'
 * messages, by id.
 */
export function withCalledMessages(
  own: readonly AgUiMessage[],
  called: readonly CalledMessages[],
  order: ReadonlyMap<string, number>,
): readonly AgUiMessage[] {
  const placed: AgUiMessage[] = [];
  let behind: readonly AgUiMessage[] = [];
  for (const message of own) {
    if (message.role !== "tool") {
      placed.push(...behind);
      behind = calledBy(message, called, order);
    }
    placed.push(message);
  }
  return [...placed, ...behind];
}

function calledBy(
  message: AgUiMessage,
  called: readonly CalledMessages[],
  order: ReadonlyMap<string, number>,
): readonly AgUiMessage[] {
  if (message.role !== "assistant" || !message.toolCalls) return [];
  const ids = new Set(message.toolCalls.map(({ id }) => id));
  const groups = called.filter(({ callId }) => ids.has(callId)).flatMap(groupsOf);
  const placeOf = ([first]: readonly AgUiMessage[]) => order.get(first?.id ?? "") ?? Infinity;
  return groups.sort((one, other) => placeOf(one) - placeOf(other)).flat();
}

/** Each assistant's message with the results of its calls. */
function groupsOf({ messages }: CalledMessages): AgUiMessage[][] {
  const groups: AgUiMessage[][] = [];
  for (const message of messages) {
    const group = groups.at(-1);
    if (message.role === "tool" && group) group.push(message);
    else groups.push([message]);
  }
  return groups;
}
