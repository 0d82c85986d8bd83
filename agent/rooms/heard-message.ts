// A message of a room as the others hear it. Pure.
import type { Msg } from "../../protocol/messages/messages.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import { PARTICIPANT } from "../../protocol/rooms/events.ts";

/**
 * The words of a participant, as a user's message under its name: without thinking, calls, results and hints. Null when nothing
 * is left. The id is that of the room's log, so that a message that is given twice is known.
 * @param untrusted The first source of untrusted content that the speaker's model was sent.
 */
export function heardMessage(
  message: Msg,
  speaker: string,
  untrusted: UntrustedSource | null = null,
): Msg | null {
  const content = message.content.filter(
    (block) => block.type === "data" || (block.type === "text" && block.text.trim() !== ""),
  );
  if (content.length === 0) return null;
  return {
    name: speaker,
    content,
    role: "user",
    id: message.id,
    metadata: { [PARTICIPANT]: speaker, ...(untrusted && { untrusted }) },
    created_at: message.created_at,
    usage: null,
    finished_at: message.finished_at,
    finished_reason: null,
    structured_output: null,
    error: null,
  };
}
