import { Fragment, type ReactNode } from "react";

import type { ContentBlock } from "../../../sdk/index.ts";
import { DataBlockView } from "../data-block-view.tsx";

export type ToolResult = Extract<ContentBlock, { type: "tool_result" }>;

interface ToolOutputProps {
  readonly result: ToolResult | undefined;
  readonly drawText: (text: string) => ReactNode;
}

/** Output of a call; nothing before its first word. */
export function ToolOutput({ result, drawText }: ToolOutputProps) {
  if (!result || (result.output.length === 0 && result.finished_at === null)) return null;
  const { output } = result;
  return (
    <>
      <h3>Result</h3>
      {typeof output === "string"
        ? drawText(output)
        : output.map((part) =>
            part.type === "text" ? (
              <Fragment key={part.id}>{drawText(part.text)}</Fragment>
            ) : (
              <DataBlockView key={part.id} block={part} />
            ),
          )}
    </>
  );
}

/** Results of a message's calls, by the ids of the calls. */
export function toolResultsOf(content: readonly ContentBlock[]): ReadonlyMap<string, ToolResult> {
  return new Map(
    content.flatMap((block) => (block.type === "tool_result" ? [[block.id, block]] : [])),
  );
}
