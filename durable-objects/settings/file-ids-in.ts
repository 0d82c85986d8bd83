import { parseFileAddress } from "../../protocol/file-address.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

/** The ids of the files that a message's data blocks name, on whatever host. */
export function fileIdsIn({ content }: Pick<Msg, "content">): readonly string[] {
  return content.flatMap(fileIdsOf);
}

export function fileIdsOf(block: ContentBlock): readonly string[] {
  switch (block.type) {
    case "data": {
      const id = block.source.type === "url" ? parseFileAddress(block.source.url)?.file_id : null;
      return id == null ? [] : [id];
    }
    case "tool_result":
      return typeof block.output === "string" ? [] : block.output.flatMap(fileIdsOf);
    case "hint":
      return typeof block.hint === "string" ? [] : block.hint.flatMap(fileIdsOf);
    default:
      return [];
  }
}
