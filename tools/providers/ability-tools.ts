import type { Ability } from "../../agent/ability.ts";
import { failure } from "../answer-shape.ts";
import type { ToolProvider } from "../tool-provider.ts";

/**
 * Tools of abilities, which the abilities settle. The list is computed at each access, since it may depend on an
 * ability's state. Tools of the kind `internal` are not among them.
 */
export function abilityTools(abilities: readonly Ability[]): ToolProvider {
  const declared = () =>
    abilities.flatMap(({ name: ability, tools }) =>
      tools && tools.kind !== "internal"
        ? tools.declare().map((tool) => ({ ...tool, ability }))
        : [],
    );
  return {
    get tools() {
      return declared();
    },
    owns: (name) => declared().some((tool) => tool.name === name),
    async *run({ name }) {
      yield* failure(`${name} is settled by its ability.`);
    },
  };
}
