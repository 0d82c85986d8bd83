import { Fragment, type ReactNode } from "react";

import { DataBlockView } from "../data-block-view.tsx";
import type { ToolResult } from "./tool-results.ts";

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
