// The input of a turn: messages of others between two places of the room's log, as they were said.
import { heardMessage } from "../../agent/rooms/heard-message.ts";
import { untrustedSourceOf } from "../../protocol/messages/untrusted-content.ts";
import type { InputMessage } from "../../protocol/replies/contract.ts";
import { MODERATOR } from "../../protocol/rooms/events.ts";
import type { MessageTable } from "../tables/message-table.ts";

/** Oldest first. */
export function turnInput(
  messages: MessageTable,
  participant: string,
  { hears_from, hears_to }: { readonly hears_from: number; readonly hears_to: number },
): readonly InputMessage[] {
  const input: InputMessage[] = [];
  for (const { item } of messages.between(hears_from, hears_to)) {
    const { message } = item;
    const speaker = message.name;
    // The moderator's words are for the room alone.
    if (speaker === participant || speaker === MODERATOR) continue;
    const heard = heardMessage(message, speaker, untrustedSourceOf(message.metadata));
    if (heard) input.push(heard as InputMessage);
  }
  return input;
}
