import type { Ability } from "../agent/ability.ts";
import type { ToolDeclaration } from "../agent/ports.ts";

/** The tools that abilities settle, as they are now; those of the kind `internal` are the reply's own affair. */
export function abilityTools(abilities: readonly Ability[]): readonly ToolDeclaration[] {
  return abilities.flatMap(({ name: ability, tools }) =>
    tools && tools.kind !== "internal" ? tools.declare().map((tool) => ({ ...tool, ability })) : [],
  );
}
