import type { A2aPart } from "../../protocol/a2a/wire.ts";
import type { DataBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

/** The words and media of messages, oldest first. With several authors each text says whose it is: A2A has one role for all. */
export function messageParts(messages: readonly Msg[]): readonly A2aPart[] {
  const isNamed = new Set(messages.map(({ name }) => name)).size > 1;
  return messages.flatMap(({ name, content }) =>
    content.flatMap((block): readonly A2aPart[] => {
      if (block.type === "data") return dataPart(block);
      if (block.type !== "text" || block.text === "") return [];
      return [{ text: isNamed ? `${name}: ${block.text}` : block.text }];
    }),
  );
}

function dataPart({ source, name }: DataBlock): readonly A2aPart[] {
  const about = { mediaType: source.media_type, ...(name != null && { filename: name }) };
  return source.type === "url" ? [{ url: source.url, ...about }] : [{ raw: source.data, ...about }];
}
