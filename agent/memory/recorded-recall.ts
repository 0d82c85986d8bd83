import { RECALL_SOURCE } from "../../protocol/memory/events.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

/** Hints with the memories that a recorded reply recalled, for a reply that runs it again: no store is asked. */
export function recordedRecall(
  recorded: Pick<Msg, "content">,
  { reply_id, newBlockId }: { readonly reply_id: string; readonly newBlockId: () => string },
): readonly EventDraft[] {
  return recorded.content.flatMap((block): readonly EventDraft[] => {
    if (block.type !== "hint" || block.source !== RECALL_SOURCE) return [];
    const { source, hint, metadata = {} } = block;
    return [{ type: "HINT_BLOCK", reply_id, block_id: newBlockId(), source, hint, metadata }];
  });
}
