// The primitive operations of the fold on a message's content: each makes a new array and shares the other blocks.
import type {
  ContentBlock,
  TextBlock,
  TextOrDataBlock,
  ToolResultBlock,
} from "../messages/blocks.ts";
import type { Msg } from "../messages/messages.ts";

type BlockOf<Type extends ContentBlock["type"]> = Extract<ContentBlock, { type: Type }>;

/** Appends a block; its id may have been used before. */
export function addBlock(message: Msg, block: ContentBlock): Msg {
  return { ...message, content: [...message.content, block] };
}

/**
 * Changes the first block with this type and id (ids are unique only within a type). An unknown id, and a change that
 * returns the same block, give back the same message.
 */
export function changeBlock<Type extends ContentBlock["type"]>(
  message: Msg,
  type: Type,
  id: string,
  change: (block: BlockOf<Type>) => BlockOf<Type>,
): Msg {
  const isWanted = (block: ContentBlock): block is BlockOf<Type> =>
    block.id === id && block.type === type;
  const index = message.content.findIndex(isWanted);
  const block = message.content[index];
  if (!block || !isWanted(block)) return message;
  const changed = change(block);
  if (changed === block) return message;
  const content = message.content.slice();
  content[index] = changed;
  return { ...message, content };
}

/** The output as blocks; a plain string becomes one text block. */
export function outputBlocks(result: ToolResultBlock, created_at: string): TextOrDataBlock[] {
  if (typeof result.output !== "string") return result.output;
  return [outputTextBlock(result.id, 0, result.output, created_at)];
}

/**
 * A block of a result's text. Its id is derived from its position, so that all readers of the same events create the
 * same block.
 */
export function outputTextBlock(
  callId: string,
  index: number,
  text: string,
  created_at: string,
): TextBlock {
  return { type: "text", text, id: `${callId}_${index}`, created_at, finished_at: null };
}
