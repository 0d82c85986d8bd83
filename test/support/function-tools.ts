// Tools that are functions of this process, through the same port as every other tool.
import type { ToolDeclaration, ToolRunner } from "../../agent/ports.ts";

export interface FunctionTool extends Partial<Omit<ToolDeclaration, "name">> {
  readonly run: (input: never, signal: { tool_call_id: string }) => string | Promise<string>;
}

export function functionTools(tools: Readonly<Record<string, FunctionTool>>): ToolRunner {
  return {
    tools: Object.entries(tools).map(([name, { run: _run, ...declared }]) => ({
      description: "",
      input_schema: { type: "object" },
      read_only: true,
      concurrency_safe: false,
      idempotent: false,
      ...declared,
      name,
    })),
    async *run({ name, input, tool_call_id }) {
      const tool = tools[name];
      if (!tool) throw new Error(`no function for ${name}`);
      yield { type: "text", delta: await tool.run(input as never, { tool_call_id }) };
    },
  };
}
