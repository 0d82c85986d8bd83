// Speech of a user that was never written down, in the context of a model that reads text.
import type { Msg } from "../../protocol/messages/messages.ts";
import { isUntranscribed } from "../../protocol/voice/events.ts";

const NOT_TRANSCRIBED = "(speech that was not transcribed)";

/** The message with a note in place of words that are missing. */
export function withSpeechNote(message: Msg): Msg {
  if (message.role !== "user" || !isUntranscribed(message)) return message;
  const content = message.content.map((block) =>
    block.type === "text" && block.text === "" ? { ...block, text: NOT_TRANSCRIBED } : block,
  );
  return { ...message, content };
}
