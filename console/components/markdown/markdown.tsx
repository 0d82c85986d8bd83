// Markdown of a model, which is untrusted: the tokens of the parser become React elements, and nothing becomes HTML.
// HTML in the text is shown as text, links say where they go, and images are links, so that no request leaves the page.
import { lexer, type Token, type Tokens } from "marked";
import { Fragment, memo, useEffect, useMemo, useState, type ReactNode } from "react";

import { SafeLink } from "./safe-link.tsx";
import { splitMarkdown } from "./split-markdown.ts";

/** Longer text is shown as it is: the parser's time grows with it. */
const MAX_CHARACTERS = 100_000;
/** Longer text is drawn in parts of about this length. */
const PART_CHARACTERS = 4_000;
/** Levels of quotes and lists that are drawn; deeper ones are shown as text. */
const MAX_LEVELS = 12;

export function Markdown({ text }: { readonly text: string }) {
  if (text.length > MAX_CHARACTERS) return <pre className="plain-text">{text}</pre>;
  return text.length > PART_CHARACTERS ? <LongMarkdown text={text} /> : <Part text={text} />;
}

/** Parsed and drawn part by part, a task each, so that the page answers meanwhile. */
function LongMarkdown({ text }: { readonly text: string }) {
  const parts = useMemo(() => splitMarkdown(text, PART_CHARACTERS), [text]);
  const [count, setCount] = useState(1);
  const isWhole = count >= parts.length;
  useEffect(() => {
    if (isWhole) return undefined;
    const timer = setTimeout(() => setCount((before) => before + 1), 0);
    return () => clearTimeout(timer);
  }, [count, isWhole]);
  return (
    <div className="markdown-parts" aria-busy={!isWhole}>
      {parts.slice(0, count).map((part, index) => (
        // A text that grows keeps its parts but the last.
        <Part key={index} text={part} />
      ))}
    </div>
  );
}

const Part = memo(function Part({ text }: { readonly text: string }) {
  const tokens = parse(text);
  if (!tokens) return <pre className="plain-text">{text}</pre>;
  return <div className="markdown">{drawAll(tokens, 0)}</div>;
});

/** Null for text that is shown as it is. */
function parse(text: string): readonly Token[] | null {
  try {
    return lexer(text);
  } catch {
    return null;
  }
}

function drawAll(tokens: readonly Token[] | undefined, level: number): ReactNode {
  // The parser has no ids; the tokens of a text never change their order.
  return tokens?.map((token, index) => <Fragment key={index}>{draw(token, level)}</Fragment>);
}

function draw(token: Token, level: number): ReactNode {
  if (level > MAX_LEVELS) return token.raw;
  const inner = () => drawAll("tokens" in token ? token.tokens : undefined, level + 1);
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      // The page has the first levels.
      return <p className="markdown-heading">{inner()}</p>;
    case "paragraph":
      return <p>{inner()}</p>;
    case "text":
      return "tokens" in token && token.tokens ? inner() : unescape(token.text as string);
    case "strong":
      return <strong>{inner()}</strong>;
    case "em":
      return <em>{inner()}</em>;
    case "del":
      return <del>{inner()}</del>;
    case "codespan":
      return <code>{unescape(token.text as string)}</code>;
    case "code":
      return (
        <pre>
          <code>{token.text as string}</code>
        </pre>
      );
    case "blockquote":
      return <blockquote>{inner()}</blockquote>;
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "escape":
      return token.text as string;
    case "link":
      return <SafeLink url={token.href as string}>{inner()}</SafeLink>;
    case "image":
      return <SafeLink url={token.href as string}>{`Image: ${token.text as string}`}</SafeLink>;
    case "list":
      return drawList(token as Tokens.List, level);
    case "table":
      return drawTable(token as Tokens.Table, level);
    default:
      return token.raw;
  }
}

function drawList({ ordered, start, items }: Tokens.List, level: number): ReactNode {
  const drawn = items.map((item, index) => (
    <li key={index}>
      {item.task && <input type="checkbox" checked={item.checked === true} disabled readOnly />}
      {drawAll(item.tokens, level + 1)}
    </li>
  ));
  return ordered ? <ol start={Number(start) || 1}>{drawn}</ol> : <ul>{drawn}</ul>;
}

function drawTable({ header, rows }: Tokens.Table, level: number): ReactNode {
  return (
    <div className="markdown-table" role="region" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} scope="col">
                {drawAll(cell.tokens, level + 1)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) => (
                <td key={place}>{drawAll(cell.tokens, level + 1)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** The parser escapes text for HTML in some tokens; React escapes it itself. */
function unescape(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
