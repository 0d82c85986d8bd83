// The data blocks of a conversation, wherever they are in it.
import type { ContentBlock, DataBlock, TextBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { describeData } from "./describe-data.ts";

/** The data blocks in a block, in their order. */
export function dataIn(block: ContentBlock): readonly DataBlock[] {
  if (block.type === "data") return [block];
  const inner =
    block.type === "tool_result" ? block.output : block.type === "hint" ? block.hint : "";
  return typeof inner === "string" ? [] : inner.filter((one) => one.type === "data");
}

export function hasData(messages: readonly Msg[]): boolean {
  return messages.some(({ content }) => content.some((block) => dataIn(block).length > 0));
}

/** The messages with others in the place of some data blocks; the same when there are none. */
export function replaceData(
  messages: readonly Msg[],
  replaced: ReadonlyMap<DataBlock, DataBlock | TextBlock>,
): readonly Msg[] {
  if (replaced.size === 0) return messages;
  const replace = <Block extends TextBlock | DataBlock>(block: Block): TextBlock | DataBlock =>
    block.type === "data" ? (replaced.get(block) ?? block) : block;
  return messages.map((message) => {
    if (!message.content.some((block) => dataIn(block).length > 0)) return message;
    const content = message.content.map((block): ContentBlock => {
      if (block.type === "data") return replace(block);
      if (block.type === "tool_result" && typeof block.output !== "string") {
        return { ...block, output: block.output.map(replace) };
      }
      if (block.type === "hint" && typeof block.hint !== "string") {
        return { ...block, hint: block.hint.map(replace) };
      }
      return block;
    });
    return { ...message, content };
  });
}

/** A text in the place of a data block. @param reason Behind what it is, such as `which …`. */
export function noteInPlaceOf(block: DataBlock, reason: string): TextBlock {
  const { id, created_at, finished_at } = block;
  return { type: "text", id, text: `[${describeData(block)}, ${reason}]`, created_at, finished_at };
}
