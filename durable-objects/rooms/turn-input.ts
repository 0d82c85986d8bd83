// The input of a turn: messages of others between two places of the room's log, as they were said.
import { heardMessage } from "../../agent/rooms/heard-message.ts";
import { untrustedSourceOf } from "../../protocol/messages/untrusted-content.ts";
import type { InputMessage } from "../../protocol/replies/contract.ts";
import { MODERATOR } from "../../protocol/rooms/events.ts";
import { TOLD_BYTES_AT_ONCE } from "./limits.ts";
import type { MessageTable } from "../tables/message-table.ts";
import { wholeMessage } from "./whole-message.ts";

interface Window {
  readonly hears_from: number;
  readonly hears_to: number;
}

interface TurnInput {
  readonly messages: readonly InputMessage[];
  /** The place up to which it goes, when one call cannot carry all of the window; else null. */
  readonly heard_to: number | null;
}

/** Oldest first, as many as one call can carry. */
export function turnInput(
  messages: MessageTable,
  participant: string,
  { hears_from, hears_to }: Window,
): TurnInput {
  const input: InputMessage[] = [];
  let inputBytes = 0;
  let heard_to = hears_from;
  for (const { item, bytes } of messages.between(hears_from, hears_to)) {
    const { message, position } = item;
    const speaker = message.name;
    // The moderator's words are for the room alone.
    const isHeard = speaker !== participant && speaker !== MODERATOR;
    const untrusted = untrustedSourceOf(message.metadata);
    const whole = isHeard ? wholeMessage(messages, message) : null;
    const heard = whole && heardMessage(whole, speaker, untrusted);
    if (heard) {
      inputBytes += bytes;
      if (input.length > 0 && inputBytes > TOLD_BYTES_AT_ONCE) return { messages: input, heard_to };
      input.push(heard as InputMessage);
    }
    heard_to = position;
  }
  return { messages: input, heard_to: null };
}
