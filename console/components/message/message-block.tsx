import type { ReactNode } from "react";

import type { ContentBlock } from "../../../sdk/index.ts";
import { DataBlockView } from "../data-block-view.tsx";

interface MessageBlockProps {
  readonly block: ContentBlock;
  /** Whether its text is being written. */
  readonly isGrowing: boolean;
  /** Text of the message itself. */
  readonly drawText: (text: string) => ReactNode;
  /** Text beside the message: thinking and hints. */
  readonly drawAside: (text: string) => ReactNode;
  readonly drawCall: (call: Extract<ContentBlock, { type: "tool_call" }>) => ReactNode;
}

/** One block of a message. Its texts and its calls are drawn by the page, which may get them word by word. */
export function MessageBlock(props: MessageBlockProps) {
  const { block, isGrowing, drawText, drawAside, drawCall } = props;
  switch (block.type) {
    case "text":
      return drawText(block.text);
    case "thinking":
      // Open while the model thinks, closed when it has, unless the reader decides otherwise.
      return (
        <details className="aside-block" open={isGrowing}>
          <summary>{isGrowing ? "Thinking…" : "Thinking"}</summary>
          {drawAside(block.thinking)}
        </details>
      );
    case "hint":
      return (
        <details className="aside-block">
          <summary>
            Hint for the model{block.source === null ? "" : ` from ${block.source}`}
          </summary>
          {drawAside(
            typeof block.hint === "string" ? block.hint : JSON.stringify(block.hint, null, 2),
          )}
        </details>
      );
    case "data":
      return <DataBlockView block={block} />;
    case "tool_call":
      return drawCall(block);
    case "tool_result":
      // Shown with its call.
      return null;
    default:
      return block satisfies never;
  }
}
