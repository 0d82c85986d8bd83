import type { ContentBlock, ContentBlockType } from "../../../messages/blocks.ts";
import type { Msg } from "../../../messages/messages.ts";

type BlockOf<Type extends ContentBlockType> = Extract<ContentBlock, { type: Type }>;

/** The first one: that which the fold lets events reach. */
export function findBlock<Type extends ContentBlockType>(
  { content }: Msg,
  type: Type,
  id: string,
): BlockOf<Type> | undefined {
  return content.find((block): block is BlockOf<Type> => block.type === type && block.id === id);
}
