// Tools that are part of the reply itself: offered behind all others, and settled before any rule is asked.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { Ability, Settlement } from "../ability.ts";
import type { ToolDeclaration } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";

/**
 * Everything that the model may call, as the reply stands. @param tools Those that are run. Their names are taken, but
 * for those of a client's: an end user takes no tool of the platform over.
 */
export function offeredTools(
  tools: readonly ToolDeclaration[],
  abilities: readonly Ability[],
  reply: ReplyState,
): readonly ToolDeclaration[] {
  const taken = new Set(tools.filter(takesName).map(({ name }) => name));
  const internal = abilities
    .flatMap((ability) => declaredBy(ability, reply))
    .filter(({ name }) => !taken.has(name));
  const names = new Set(internal.map(({ name }) => name));
  return [...tools.filter(({ name }) => !names.has(name)), ...internal];
}

/** Null when the call is none of an internal tool. @param tools As those of {@link offeredTools}. */
export function settleInternal(
  call: ToolCallBlock,
  tools: readonly ToolDeclaration[],
  { abilities, reply }: { readonly abilities: readonly Ability[]; readonly reply: ReplyState },
): Settlement | null {
  const isOwn = ({ name }: ToolDeclaration): boolean => name === call.name;
  const ability = abilities.find((candidate) => declaredBy(candidate, reply).some(isOwn));
  if (ability?.tools?.kind !== "internal" || tools.some((tool) => isOwn(tool) && takesName(tool)))
    return null;
  return ability.tools.settle(call, reply);
}

function takesName({ external }: ToolDeclaration): boolean {
  return external?.offered_by !== "client";
}

function declaredBy({ tools }: Ability, reply: ReplyState): readonly ToolDeclaration[] {
  return tools?.kind === "internal" ? tools.declare(reply) : [];
}
