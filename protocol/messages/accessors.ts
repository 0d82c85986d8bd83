// Accessors for a message's content.
import type { ContentBlock, ContentBlockType } from "./blocks.ts";
import type { Msg } from "./messages.ts";

/** The block that has this `type`. */
export type ContentBlockOf<Type extends ContentBlockType> = Extract<ContentBlock, { type: Type }>;

type MessageContent = Pick<Msg, "content">;
type MessageText = MessageContent & Partial<Pick<Msg, "structured_output">>;

/**
 * The texts of all text blocks, joined with `separator`. Where the model gave no text, the JSON of the message's
 * structured output. Null when there is neither, which is not the same as an empty text.
 */
export function getTextContent(message: MessageText, separator = "\n"): string | null {
  const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const text = texts.length === 0 ? null : texts.join(separator);
  const { structured_output } = message;
  return !text && structured_output ? JSON.stringify(structured_output) : text;
}

/** The blocks of one type, of several types, or all of them, in the message's order. */
export function getContentBlocks(message: MessageContent): ContentBlock[];
export function getContentBlocks<Type extends ContentBlockType>(
  message: MessageContent,
  type: Type | readonly Type[],
): ContentBlockOf<Type>[];
export function getContentBlocks(
  message: MessageContent,
  type?: ContentBlockType | readonly ContentBlockType[],
): ContentBlock[];
export function getContentBlocks(
  message: MessageContent,
  type?: ContentBlockType | readonly ContentBlockType[],
): ContentBlock[] {
  return message.content.filter((block) => hasType(block, type));
}

/** The first block of this type, or null. */
export function getFirstContentBlock<Type extends ContentBlockType>(
  message: MessageContent,
  type: Type,
): ContentBlockOf<Type> | null {
  const isWanted = (block: ContentBlock): block is ContentBlockOf<Type> => block.type === type;
  return message.content.find(isWanted) ?? null;
}

/** Whether there is a block of this type, or of one of these types, or any block at all. */
export function hasContentBlocks(
  message: MessageContent,
  type?: ContentBlockType | readonly ContentBlockType[],
): boolean {
  return message.content.some((block) => hasType(block, type));
}

function hasType(
  block: ContentBlock,
  type: ContentBlockType | readonly ContentBlockType[] | undefined,
): boolean {
  if (type === undefined) return true;
  return typeof type === "string" ? block.type === type : type.includes(block.type);
}
