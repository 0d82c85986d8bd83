import { parseFileAddress } from "../../protocol/file-address.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { keptAudioOf } from "../../protocol/voice/events.ts";

export type NamingMessage = Pick<Msg, "content"> & Partial<Pick<Msg, "metadata">>;

/** The ids of the files that a message's data blocks and its audio name, on whatever host. */
export function fileIdsIn({ content, metadata = {} }: NamingMessage): readonly string[] {
  const spoken = keptAudioOf({ metadata }).map(({ url }) => fileIdOf(url));
  return [...content.flatMap(fileIdsOf), ...spoken.filter((id) => id !== null)];
}

export function fileIdsOf(block: ContentBlock): readonly string[] {
  switch (block.type) {
    case "data": {
      const id = block.source.type === "url" ? fileIdOf(block.source.url) : null;
      return id === null ? [] : [id];
    }
    case "tool_result":
      return typeof block.output === "string" ? [] : block.output.flatMap(fileIdsOf);
    case "hint":
      return typeof block.hint === "string" ? [] : block.hint.flatMap(fileIdsOf);
    default:
      return [];
  }
}

function fileIdOf(url: string): string | null {
  return parseFileAddress(url)?.file_id ?? null;
}
