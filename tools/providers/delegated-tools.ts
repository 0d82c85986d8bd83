import type { ToolDeclaration } from "../../agent/ports.ts";
import { failure } from "../answer-shape.ts";
import type { ToolProvider } from "../tool-provider.ts";

/** Tools that the loop hands over to an external system or to an ability. The platform never runs them here. */
export function delegatedTools(tools: readonly ToolDeclaration[]): ToolProvider {
  return {
    tools,
    owns: (name) => tools.some((tool) => tool.name === name),
    async *run({ name }) {
      yield* failure(`${name} is run by an external system.`);
    },
  };
}
