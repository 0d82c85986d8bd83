// Media that a model cannot take becomes a note: one picture in a conversation would fail every later call.
import type { Msg } from "../../protocol/messages/messages.ts";
import type {
  ContentBlock,
  DataBlock,
  TextBlock,
  TextOrDataBlock,
} from "../../protocol/messages/blocks.ts";
import { noteOfData } from "./describe-data.ts";
import { inlineData } from "./inline-data.ts";

/** Whether a model can take media of a type, in lower case. */
export type TakesMedia = (media_type: string) => boolean;

export function leaveOutMedia(messages: readonly Msg[], takes: TakesMedia): readonly Msg[] {
  return messages.map((message) => ({
    ...message,
    content: message.content.map((block) => withNotes(block, takes)),
  }));
}

function withNotes(block: ContentBlock, takes: TakesMedia): ContentBlock {
  if (block.type === "data") return noteFor(block, takes);
  if (block.type === "tool_result" && typeof block.output !== "string") {
    return { ...block, output: block.output.map((part) => noteFor(part, takes)) };
  }
  if (block.type === "hint" && typeof block.hint !== "string") {
    return { ...block, hint: block.hint.map((part) => noteFor(part, takes)) };
  }
  return block;
}

function noteFor(block: TextOrDataBlock, takes: TakesMedia): TextOrDataBlock {
  if (block.type !== "data" || takes(mediaTypeOf(block))) return block;
  const { id, created_at, finished_at } = block;
  return { type: "text", text: noteOfData(block), id, created_at, finished_at } satisfies TextBlock;
}

function mediaTypeOf(block: DataBlock): string {
  return inlineData(block)?.media_type ?? block.source.media_type.toLowerCase();
}
