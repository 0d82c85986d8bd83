import { failure } from "../answer-shape.ts";
import { runCodeTool, type CodeTool } from "../code.ts";
import type { ToolProvider } from "../tool-provider.ts";

/**
 * Functions of this deployment. One that is no longer deployed is not offered.
 * @param names The names in the agent's definition.
 */
export function deployedTools(
  names: readonly string[],
  deployed: readonly CodeTool[],
): ToolProvider {
  const named = new Set(names);
  const tools = deployed.filter(({ name }) => named.has(name));
  return {
    tools,
    owns: (name) => named.has(name),
    async *run(request, stop) {
      const tool = tools.find(({ name }) => name === request.name);
      if (tool) yield* runCodeTool({ tool, request, stop });
      else yield* failure(`${request.name} is not deployed any more.`);
    },
  };
}
