import { toAgUiMessages } from "../../protocol/dialects/ag-ui/wire/messages.ts";
import type { MessageTable } from "../tables/message-table.ts";

/** Characters that are made at once. */
const PIECE_CHARACTERS = 262_144;

/**
 * Stored messages above a position and up to another one, as the members of a JSON list of AG-UI's. The rows are read as
 * the text is asked for; they are of replies that have ended, and do not change.
 * @param hasMore The list goes on.
 */
export function* conversationText(
  messages: MessageTable,
  { after, upTo, hasMore }: { after: number; upTo: number; hasMore: boolean },
): Generator<string, void> {
  let comma = "";
  for (let position = after; position < upTo;) {
    let text = "";
    let last = upTo;
    // Not one query for all: nothing may be half read while others write.
    for (const { item } of messages.between(position, upTo)) {
      for (const message of toAgUiMessages(item.message)) {
        text += comma + JSON.stringify(message);
        comma = ",";
      }
      if (text.length < PIECE_CHARACTERS) continue;
      last = item.position;
      break;
    }
    if (text !== "") yield text;
    position = last;
  }
  if (hasMore) yield comma;
}
