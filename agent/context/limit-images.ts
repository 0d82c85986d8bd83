// Leaves out older images from what a model is sent: each costs thousands of tokens in every request.
import type {
  ContentBlock,
  DataBlock,
  HintBlock,
  TextBlock,
  TextOrDataBlock,
} from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

/**
 * The messages with their newest images alone; a note takes the place of each older one.
 * @param max Number of images.
 */
export function limitImages(messages: readonly Msg[], max: number): readonly Msg[] {
  const excess = messages.reduce((sum, message) => sum + imagesOf(message), 0) - max;
  if (excess <= 0) return messages;
  // The oldest ones are first.
  let left = excess;
  const leaveOut = (block: TextOrDataBlock): boolean => {
    if (!isImage(block) || left === 0) return false;
    left -= 1;
    return true;
  };
  return messages.map((message) => {
    if (left === 0 || imagesOf(message) === 0) return message;
    const content = message.content.map((block) => withoutImages(block, message, leaveOut));
    return { ...message, content };
  });
}

function imagesOf({ content }: Msg): number {
  return content.reduce((sum, block) => sum + mediaOf(block).filter(isImage).length, 0);
}

function mediaOf(block: ContentBlock): readonly TextOrDataBlock[] {
  if (block.type === "data") return [block];
  if (block.type === "tool_result" && typeof block.output !== "string") return block.output;
  if (block.type === "hint" && typeof block.hint !== "string") return block.hint;
  return [];
}

function isImage(block: TextOrDataBlock): block is DataBlock {
  return block.type === "data" && /^image\//i.test(block.source.media_type);
}

function withoutImages(
  block: ContentBlock,
  { role }: Msg,
  leaveOut: (block: TextOrDataBlock) => boolean,
): ContentBlock {
  const replaced = (inner: TextOrDataBlock) =>
    inner.type === "data" && leaveOut(inner) ? noteOf(inner) : inner;
  switch (block.type) {
    case "data":
      if (!leaveOut(block)) return block;
      // In an assistant's message a text would be the assistant's own words.
      return role === "assistant" ? hintOf(block) : noteOf(block);
    case "tool_result":
      return typeof block.output === "string"
        ? block
        : { ...block, output: block.output.map(replaced) };
    case "hint":
      return typeof block.hint === "string" ? block : { ...block, hint: block.hint.map(replaced) };
    default:
      return block;
  }
}

function noteOf(block: DataBlock): TextBlock {
  const { id, created_at, finished_at } = block;
  return { type: "text", id, text: describe(block), created_at, finished_at };
}

function hintOf(block: DataBlock): HintBlock {
  const { id, created_at, finished_at } = block;
  return { type: "hint", id, hint: describe(block), source: null, created_at, finished_at };
}

function describe({ name, source }: DataBlock): string {
  const named = name ? ` named ${JSON.stringify(name)}` : "";
  return `[An older image of type ${source.media_type}${named} is left out here]`;
}
