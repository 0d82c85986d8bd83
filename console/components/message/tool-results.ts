import type { ContentBlock } from "../../../sdk/index.ts";

export type ToolResult = Extract<ContentBlock, { type: "tool_result" }>;

/** Results of a message's calls, by the ids of the calls. */
export function toolResultsOf(content: readonly ContentBlock[]): ReadonlyMap<string, ToolResult> {
  return new Map(
    content.flatMap((block) => (block.type === "tool_result" ? [[block.id, block]] : [])),
  );
}
