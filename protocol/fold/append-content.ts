// The fold's only ways to change a message's content: a new array each time, the other blocks shared.
import type {
  ContentBlock,
  TextBlock,
  TextOrDataBlock,
  ToolResultBlock,
} from "../messages/blocks.ts";
import type { Msg } from "../messages/messages.ts";

type BlockOf<Type extends ContentBlock["type"]> = Extract<ContentBlock, { type: Type }>;

/** Adds a block at the end, whether or not its id was used before. */
export function addBlock(message: Msg, block: ContentBlock): Msg {
  return { ...message, content: [...message.content, block] };
}

/**
 * Changes the first block with this type and id; ids are unique at most within a type. Unknown ids and
 * changes that return the block itself give back the same message.
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
  return [outputText(result.id, 0, result.output, created_at)];
}

/** Its id follows from its place, so that every reader of the same events makes the same block. */
export function outputText(
  callId: string,
  index: number,
  text: string,
  created_at: string,
): TextBlock {
  return { type: "text", text, id: `${callId}_${index}`, created_at, finished_at: null };
}
