// The fold's only ways to change a message's content: a new array each time, the other blocks shared.
import type { ContentBlock } from "./blocks.ts";
import type { Msg } from "./messages.ts";

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
