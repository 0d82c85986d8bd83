// Internal tools of abilities: offered after all others, and settled without permission rules.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { Ability } from "../ability.ts";
import type { ToolDeclaration } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";

/**
 * All tools that the model may call at this moment, without those that are withheld.
 * @param tools The tools that are run. Their names take precedence, except for a client's: an end user cannot take the
 * place of a tool of the platform.
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
  const others = tools.filter(({ name, withheld }) => withheld === undefined && !names.has(name));
  return [...others, ...internal];
}

/**
 * The ability that settles a call of an internal tool; null for any other call.
 * @param tools As those of {@link offeredTools}.
 */
export function internalAbility(
  { name }: Pick<ToolCallBlock, "name">,
  tools: readonly ToolDeclaration[],
  { abilities, reply }: { readonly abilities: readonly Ability[]; readonly reply: ReplyState },
): Ability | null {
  const isOwn = (tool: ToolDeclaration): boolean => tool.name === name;
  const ability = abilities.find((candidate) => declaredBy(candidate, reply).some(isOwn));
  return tools.some((tool) => isOwn(tool) && takesName(tool)) ? null : (ability ?? null);
}

function takesName({ external }: ToolDeclaration): boolean {
  return external?.offered_by !== "client";
}

function declaredBy({ tools }: Ability, reply: ReplyState): readonly ToolDeclaration[] {
  return tools?.kind === "internal" ? tools.declare(reply) : [];
}
