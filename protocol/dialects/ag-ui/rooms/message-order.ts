// The order in which a client of a room has got the first of each message: turns that run at once are mixed in it.
import type { AgUiEvent } from "../wire/events.ts";
import type { AgUiMessage } from "../wire/messages.ts";

export class MessageOrder {
  readonly #places = new Map<string, number>();

  note(event: AgUiEvent): void {
    for (const id of idsOf(event)) {
      if (!this.#places.has(id)) this.#places.set(id, this.#places.size);
    }
  }

  /** Messages that no client has got stay behind the rest. */
  sorted(messages: readonly AgUiMessage[]): readonly AgUiMessage[] {
    const placeOf = ({ id }: AgUiMessage): number => this.#places.get(id) ?? this.#places.size;
    return [...messages].sort((one, other) => placeOf(one) - placeOf(other));
  }
}

function idsOf(event: AgUiEvent): readonly string[] {
  switch (event.type) {
    case "RUN_STARTED":
      return event.input?.messages.map(({ id }) => id) ?? [];
    case "TEXT_MESSAGE_START":
    case "REASONING_MESSAGE_START":
    case "ACTIVITY_SNAPSHOT":
    case "TOOL_CALL_RESULT":
      return [event.messageId];
    case "TOOL_CALL_START":
      return [event.parentMessageId];
    default:
      return [];
  }
}
