import { memo, useState } from "react";

import { Markdown } from "../../../components/markdown/markdown.tsx";
import { GrowingText } from "./growing-text.ts";
import { LongText } from "../long-text.tsx";

/** Characters of one block above which it stays plain: drawing a paragraph of many pages would stop the page. */
const MAX_BLOCK_CHARACTERS = 20_000;

interface GrowingMarkdownProps {
  /** Text of untrusted origin. */
  readonly text: string;
  readonly isGrowing: boolean;
}

/** Markdown that is being written: what has ended is drawn once. */
export const GrowingMarkdown = memo(function GrowingMarkdown({
  text,
  isGrowing,
}: GrowingMarkdownProps) {
  const [growing] = useState(() => new GrowingText());
  const { parts, tail, isTailPlain } = growing.take(text, isGrowing);
  return (
    <div className="growing-text" aria-busy={isGrowing}>
      {parts.map((part, index) => (
        // Parts never change their place.
        <Part key={index} text={part} />
      ))}
      {isTailPlain ? <LongText text={tail} /> : tail !== "" && <Markdown text={tail} />}
    </div>
  );
});

const Part = memo(function Part({ text }: { readonly text: string }) {
  return (
    <div className="text-part">
      {text.length > MAX_BLOCK_CHARACTERS ? <LongText text={text} /> : <Markdown text={text} />}
    </div>
  );
});
