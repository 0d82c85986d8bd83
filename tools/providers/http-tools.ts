import type { HttpTool } from "../../protocol/agents/contract.ts";
import { failure } from "../answer-shape.ts";
import { runHttpTool } from "../run-http-tool.ts";
import type { ToolProvider } from "../tool-provider.ts";
import { declareTool } from "./declare-tool.ts";

/** Tools on the tenant's own servers. */
export function httpTools(definitions: readonly HttpTool[]): ToolProvider {
  const byName = new Map(definitions.map((tool) => [tool.name, tool]));
  return {
    tools: definitions.map(declareTool),
    owns: (name) => byName.has(name),
    async *run(request, stop, access) {
      const tool = byName.get(request.name);
      if (tool) yield* runHttpTool({ ...access, tool, request, stop });
      else yield* failure(`There is no tool named ${request.name}.`);
    },
  };
}
