// The hints that abilities give the model before a call, as `HINT_BLOCK` events.
import type { EventDraft } from "../../protocol/events.ts";
import type { Ability } from "../ability.ts";
import type { NewId } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";

/**
 * In the order of the abilities. A hint that repeats the newest one of its source is left out, unless it may repeat.
 */
export function abilityHints(
  reply: ReplyState,
  abilities: readonly Ability[],
  newId: NewId,
): EventDraft[] {
  const { id: reply_id, content } = reply.message;
  return abilities.flatMap(({ hint: declared }): EventDraft[] => {
    const hint = declared?.text(reply) ?? null;
    if (!declared || hint === null) return [];
    const { source, mayRepeat = false } = declared;
    const newest = content
      .filter((block) => block.type === "hint" && block.source === source)
      .at(-1);
    if (!mayRepeat && newest?.type === "hint" && newest.hint === hint) return [];
    return [{ type: "HINT_BLOCK", reply_id, block_id: newId("blk"), source, hint }];
  });
}
