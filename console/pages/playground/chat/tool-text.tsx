import { memo } from "react";

import { JsonViewer } from "../../../components/json-viewer.tsx";
import { parseTree } from "../../../components/message/parse-tree.ts";
import { LongText } from "../long-text.tsx";

interface ToolTextProps {
  readonly text: string;
  readonly label: string;
  /** Whether more of it is to come. */
  readonly isGrowing: boolean;
}

/** A tool's text: as a tree when it is JSON and has ended, else as it is. */
export const ToolText = memo(function ToolText({ text, label, isGrowing }: ToolTextProps) {
  const value = isGrowing ? undefined : parseTree(text);
  if (value !== undefined) return <JsonViewer value={value} label={label} />;
  if (text === "") return <p className="quiet">{isGrowing ? "…" : "empty"}</p>;
  return (
    <div className="tool-text" role="group" aria-label={label}>
      <LongText text={text} />
    </div>
  );
});
