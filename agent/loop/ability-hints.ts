// The hints that abilities give the model before a call, as `HINT_BLOCK` events.
import type { EventDraft } from "../../protocol/events.ts";
import type { ContentBlock, HintBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { Ability } from "../ability.ts";
import type { NewId } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";

/**
 * In the order of the abilities. A hint that repeats the newest one of its source is left out, unless it may repeat; one
 * that takes the place of earlier ones is compared with those of earlier replies, too.
 * @param reply With the blocks of its message that the model is still sent.
 * @param earlier The messages before it that the model is still sent.
 */
export function abilityHints(
  reply: ReplyState,
  abilities: readonly Ability[],
  newId: NewId,
  earlier: readonly Msg[] = [],
): EventDraft[] {
  const { id: reply_id, content } = reply.message;
  return abilities.flatMap(({ hint: declared }): EventDraft[] => {
    if (!declared) return [];
    const { source, mayRepeat = false, replacesEarlier = false, retraction = null } = declared;
    const newest =
      newestHint(content, source) ?? (replacesEarlier ? newestOf(earlier, source) : undefined);
    const hint = declared.text(reply) ?? (newest ? retraction : null);
    if (hint === null || (!mayRepeat && newest?.hint === hint)) return [];
    return [{ type: "HINT_BLOCK", reply_id, block_id: newId("blk"), source, hint }];
  });
}

function newestOf(messages: readonly Msg[], source: string): HintBlock | undefined {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const found = newestHint(messages[index]?.content ?? [], source);
    if (found) return found;
  }
  return undefined;
}

function newestHint(content: readonly ContentBlock[], source: string): HintBlock | undefined {
  return content
    .filter((block): block is HintBlock => block.type === "hint" && block.source === source)
    .at(-1);
}
