import { omittedOf } from "../../protocol/messages/omitted.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { MessageTable } from "../tables/message-table.ts";

/** A message with its content, also one that is too large for an answer: a reply's results may be, and its words are heard. */
export function wholeMessage(messages: MessageTable, message: Msg): Msg {
  const place = omittedOf(message) ? messages.findPlace(message.id) : null;
  if (!place) return message;
  const decoder = new TextDecoder();
  const pieces = [...messages.whole(place)].map((piece) => decoder.decode(piece, { stream: true }));
  return JSON.parse([...pieces, decoder.decode()].join("")) as Msg;
}
