import type { Ability } from "../../agent/ability.ts";
import { failure } from "../answer-shape.ts";
import type { ToolProvider } from "../tool-provider.ts";

/**
 * The platform's own tools, which abilities settle, as they are at the moment of asking: they may depend on an ability's
 * state. Those of the kind `internal` are the reply's own affair.
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
