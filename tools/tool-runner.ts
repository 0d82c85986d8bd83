// The tools of an agent's definition, behind the one port that the loop knows.
import type { ToolDeclaration, ToolRunner } from "../agent/ports.ts";
import type { ToolDefinition } from "../protocol/api/agents.ts";
import { runHttpTool } from "./http.ts";
import { failure } from "./answer-shape.ts";
import type { OutgoingFetch } from "./outgoing.ts";

export interface ToolRunnerSettings {
  readonly tools: readonly ToolDefinition[];
  readonly outgoing: OutgoingFetch;
  /** The agent's secrets in the clear, by credential id. */
  readonly secrets: ReadonlyMap<string, string>;
}

export function createToolRunner({ tools, outgoing, secrets }: ToolRunnerSettings): ToolRunner {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    tools: tools.map(declare),
    async *run(request, stop) {
      const tool = byName.get(request.name);
      if (!tool) {
        yield* failure(`There is no tool named ${request.name}.`);
        return;
      }
      yield* runHttpTool({ tool, request, outgoing, secrets, stop });
    },
  };
}

function declare(tool: ToolDefinition): ToolDeclaration {
  const { name, description, input_schema, read_only, concurrency_safe, idempotent } = tool;
  return { name, description, input_schema, read_only, concurrency_safe, idempotent };
}
