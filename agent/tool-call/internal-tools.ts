// Tools that are part of the reply itself: offered behind all others, and settled before any rule is asked.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { Ability, Settlement } from "../ability.ts";
import type { ToolDeclaration } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";

/** As the reply has them now. */
export function internalTools(
  abilities: readonly Ability[],
  reply: ReplyState,
): readonly ToolDeclaration[] {
  return abilities.flatMap(({ tools }) => (tools?.kind === "internal" ? tools.declare(reply) : []));
}

/** Null when the call is none of an internal tool. */
export function settleInternal(
  call: ToolCallBlock,
  abilities: readonly Ability[],
  reply: ReplyState,
): Settlement | null {
  for (const { tools } of abilities) {
    if (tools?.kind !== "internal") continue;
    const isOwn = tools.declare(reply).some(({ name }) => name === call.name);
    if (isOwn) return tools.settle(call, reply);
  }
  return null;
}
