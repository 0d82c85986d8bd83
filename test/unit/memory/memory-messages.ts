// Messages of the tests of memory.
import type { ContentBlock } from "../../../protocol/messages/blocks.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";

const AT = "2026-11-30T06:00:00.000Z";

export function user(text: string): Msg {
  return UserMsg({ name: "user", content: text });
}

export function assistant(...content: readonly object[]): Msg {
  const blocks = content.map((block, index) => ({
    id: `blk_${index}`,
    created_at: AT,
    finished_at: AT,
    ...block,
  }));
  return AssistantMsg({ name: "Desk", content: blocks as ContentBlock[], id: "rep_1" });
}

export function said(text: string): object {
  return { type: "text", text };
}

/** A hint, or a result, that tells memories, as the ability writes it. */
export function telling(block: object, memories: Readonly<Record<string, number>>): object {
  const memory_ids = Object.keys(memories);
  return { ...block, metadata: { memory_ids, memory_versions: memories } };
}
