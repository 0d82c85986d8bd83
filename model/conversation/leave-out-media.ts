// Media that a model cannot take becomes a note: one picture in a conversation would fail every later call.
import type { Msg } from "../../protocol/messages/messages.ts";
import type {
  ContentBlock,
  DataBlock,
  TextBlock,
  TextOrDataBlock,
} from "../../protocol/messages/blocks.ts";
import { noteOfData } from "./describe-data.ts";

/** @param kinds The first parts of the media types that are left out, such as `audio`. */
export function leaveOutMedia(messages: readonly Msg[], kinds: readonly string[]): readonly Msg[] {
  if (kinds.length === 0) return messages;
  return messages.map((message) => ({
    ...message,
    content: message.content.map((block) => withNotes(block, kinds)),
  }));
}

function withNotes(block: ContentBlock, kinds: readonly string[]): ContentBlock {
  if (block.type === "data") return noteFor(block, kinds);
  if (block.type === "tool_result" && typeof block.output !== "string") {
    return { ...block, output: block.output.map((part) => noteFor(part, kinds)) };
  }
  if (block.type === "hint" && typeof block.hint !== "string") {
    return { ...block, hint: block.hint.map((part) => noteFor(part, kinds)) };
  }
  return block;
}

function noteFor(block: TextOrDataBlock, kinds: readonly string[]): TextOrDataBlock {
  if (block.type !== "data" || !kinds.includes(kindOf(block))) return block;
  const { id, created_at, finished_at } = block;
  return { type: "text", text: noteOfData(block), id, created_at, finished_at } satisfies TextBlock;
}

function kindOf({ source }: DataBlock): string {
  return source.media_type.toLowerCase().split("/")[0] ?? "";
}
