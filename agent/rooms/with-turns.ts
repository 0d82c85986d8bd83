// Turns to which nobody has said anything new, as models are sent them: a context that ends with the model's own words is refused
// by some providers, and read as an unfinished answer by others.
import type { Msg } from "../../protocol/messages/messages.ts";
import { PARTICIPANT, ROOM_SPEAKER } from "../../protocol/rooms/events.ts";

const YOUR_TURN = "Nobody has said anything since. It is your turn again.";

/** With the word of the room between two replies that follow each other; the same in every request, for the prompt cache. */
export function withTurns(messages: readonly Msg[]): readonly Msg[] {
  const isNext = (index: number): boolean =>
    messages[index]?.role === "assistant" && messages[index - 1]?.role === "assistant";
  if (!messages.some((_, index) => isNext(index))) return messages;
  return messages.flatMap((message, index) =>
    isNext(index) ? [turnOf(message), message] : message,
  );
}

function turnOf({ id: replyId, created_at }: Msg): Msg {
  const id = `${replyId}_turn`;
  return {
    name: ROOM_SPEAKER,
    content: [{ type: "text", text: YOUR_TURN, id, created_at, finished_at: created_at }],
    role: "user",
    id,
    metadata: { [PARTICIPANT]: ROOM_SPEAKER },
    created_at,
    usage: null,
    finished_at: created_at,
    finished_reason: null,
    structured_output: null,
    error: null,
  };
}
