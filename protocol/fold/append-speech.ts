// The events of speech that change a message: what the user has said, and what was heard of the agent.
import type { Msg } from "../messages/messages.ts";
import { SPEECH, SPEECH_TRANSCRIBED, speechOf, type SpeechChange } from "../voice/events.ts";
import { changeBlock } from "./append-content.ts";

/** The message with the change; the same one for a change of another message, and for one that it has already. */
export function appendSpeech(message: Msg, change: SpeechChange): Msg {
  if (change.message_id !== message.id) return message;
  if (change.name === SPEECH_TRANSCRIBED) return transcribed(message, change.text);
  return changeBlock(message, "text", change.block_id, (block) =>
    block.text === change.text ? block : { ...block, text: change.text },
  );
}

/** The first text of a message is the one that waits for its words. */
function transcribed(message: Msg, text: string): Msg {
  const mark = speechOf(message);
  if (mark?.state !== "transcribing") return message;
  const index = message.content.findIndex(({ type }) => type === "text");
  const content = message.content.map((block, at) =>
    at === index && block.type === "text" ? { ...block, text } : block,
  );
  const metadata = { ...message.metadata, [SPEECH]: { ...mark, state: "transcribed" } };
  return { ...message, content, metadata };
}
