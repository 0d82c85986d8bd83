import { diffLines } from "./diff-lines.ts";

interface DiffTextProps {
  readonly before: string;
  readonly after: string;
}

const SIGNS = { same: " ", added: "+", removed: "-" } as const;
const WORDS = { same: "", added: "added: ", removed: "taken away: " } as const;

/** Two texts as one, with the lines that are added and taken away; an empty one has no lines. */
export function DiffText({ before, after }: DiffTextProps) {
  return (
    <pre className="diff" tabIndex={0}>
      {diffLines(linesOf(before), linesOf(after)).map(({ kind, text }, index) => (
        // Lines have no id, and never change.
        <span key={index} className="diff-line" data-kind={kind}>
          <span aria-hidden>{SIGNS[kind]} </span>
          <span className="visually-hidden">{WORDS[kind]}</span>
          {text}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}
