import { MEMORY_TOOLS } from "./events.ts";

/** JSON pointer and text for each tool of an agent with memory that has the name of one of the memory's. */
export function memoryToolProblems({
  tools,
  memory,
}: {
  readonly tools: readonly { readonly type: string; readonly name?: string }[];
  readonly memory?: object | null | undefined;
}): readonly { readonly pointer: string; readonly detail: string }[] {
  if (!memory) return [];
  const taken: readonly string[] = MEMORY_TOOLS;
  return tools.flatMap(({ name }, index) =>
    name !== undefined && taken.includes(name)
      ? [{ pointer: `#/tools/${index}/name`, detail: `${name} is a tool of the agent's memory` }]
      : [],
  );
}
