// What the model is told before a call: a `HINT_BLOCK` of each ability that has something new to say.
import type { EventDraft } from "../../protocol/events.ts";
import type { Ability } from "../ability.ts";
import type { NewId } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";

/** In the order of the abilities. */
export function abilityHints(
  reply: ReplyState,
  abilities: readonly Ability[],
  newId: NewId,
): EventDraft[] {
  const { id: reply_id, content } = reply.message;
  return abilities.flatMap(({ hint: told }): EventDraft[] => {
    const hint = told?.text(reply) ?? null;
    if (!told || hint === null) return [];
    const { source, mayRepeat = false } = told;
    const newest = content
      .filter((block) => block.type === "hint" && block.source === source)
      .at(-1);
    if (!mayRepeat && newest?.type === "hint" && newest.hint === hint) return [];
    return [{ type: "HINT_BLOCK", reply_id, block_id: newId("blk"), source, hint }];
  });
}
