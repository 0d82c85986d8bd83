// Messages of a room as models are sent them: with the speaker's name before the words, since no provider shows a message's
// name to all of its models.
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { participantOf, ROOM_SPEAKER } from "../../protocol/rooms/events.ts";

/** @param names Of those who are in the room. */
export function withSpeakers(messages: readonly Msg[], names: readonly string[]): readonly Msg[] {
  const speakers = messages.map((message) =>
    message.role === "user" ? participantOf(message) : null,
  );
  const known = new Set(speakers.filter((speaker) => speaker !== null));
  if (known.size === 0) return messages;
  for (const name of [...names, ROOM_SPEAKER]) known.add(name);
  return messages.map((message, index) => {
    const speaker = speakers[index];
    return speaker === null || speaker === undefined ? message : spoken(message, speaker, known);
  });
}

function spoken(message: Msg, speaker: string, names: ReadonlySet<string>): Msg {
  const content = message.content.map((block) =>
    block.type === "text" ? { ...block, text: quoted(block.text, speaker, names) } : block,
  );
  const [first] = content;
  if (first?.type === "text") {
    const named = { ...first, text: `${speaker}: ${first.text}` };
    return { ...message, content: [named, ...content.slice(1)] };
  }
  const label: ContentBlock = {
    type: "text",
    text: `${speaker}:`,
    id: `${message.id}_speaker`,
    created_at: message.created_at,
    finished_at: message.finished_at,
  };
  return { ...message, content: [label, ...content] };
}

/** A line that begins as another one's message does is marked as a quotation: nobody speaks in somebody else's name. */
function quoted(text: string, speaker: string, names: ReadonlySet<string>): string {
  if (!text.includes(":") && !text.includes("：")) return text;
  return text
    .split("\n")
    .map((line) => {
      const name = /^\s*([\p{L}\p{N}_-]{1,64})\s*[:：]/u.exec(line)?.[1];
      return name !== undefined && name !== speaker && names.has(name) ? `> ${line}` : line;
    })
    .join("\n");
}
