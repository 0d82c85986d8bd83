import type { ContentBlock, ContentBlockType } from "../../../messages/blocks.ts";
import type { Msg } from "../../../messages/messages.ts";

type BlockOf<Type extends ContentBlockType> = Extract<ContentBlock, { type: Type }>;

/** The first block with this type and id, which is the one that the fold changes. */
export function findBlock<Type extends ContentBlockType>(
  { content }: Msg,
  type: Type,
  id: string,
): BlockOf<Type> | undefined {
  return content.find((block): block is BlockOf<Type> => block.type === type && block.id === id);
}
