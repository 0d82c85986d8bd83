// A conversation as plain text, for a model that summarises it without being part of it. What was said is quoted as
// JSON, so that no text can pass for a line of the transcript.
import type {
  ContentBlock,
  TextOrDataBlock,
  ToolResultBlock,
} from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { splitText } from "../json/split-text.ts";
import { shortenText } from "./summary-form.ts";

/** Something that was said or done, and by whom. */
interface Statement {
  readonly label: string;
  readonly words: readonly Words[];
}

/** A text, which is quoted, or a note in place of something that is none. */
type Words = { readonly text: string } | { readonly note: string };

/** ` (part 12345 of 67890): ""` has so many characters at most. */
const PART_CHARACTERS = 26;

/** Characters of a label, of which the name of a tool is a part. */
const MAX_LABEL_CHARACTERS = 300;

/** By this factor the number of parts grows until each of them fits: quoting makes some texts longer than others. */
const MORE_PARTS = 1.25;

/**
 * Entries of the transcript, oldest first: one for each block, and one for a call with its result. Thinking is left
 * out.
 * @param maxCharacters Of one entry, some hundreds at least; a longer one is split into parts, each an entry that says which of
 *   how many it is.
 */
export function transcriptOf(messages: readonly Msg[], maxCharacters: number): readonly string[] {
  return messages.flatMap((message) => {
    const results = new Map(
      message.content
        .filter((block): block is ToolResultBlock => block.type === "tool_result")
        .map((block) => [block.id, block]),
    );
    return message.content.flatMap((block) => {
      const statements = statementsOf(block, message, results);
      const entry = statements.map(entryOf).join(", ");
      if (entry.length <= maxCharacters) return entry === "" ? [] : [entry];
      return statements.flatMap((statement) => partsOf(statement, maxCharacters));
    });
  });
}

/** Slices of consecutive entries, each with as many characters at most; a longer entry is one by itself. */
export function sliceEntries(
  entries: readonly string[],
  maxCharacters: number,
): readonly (readonly string[])[] {
  const slices: string[][] = [];
  let room = 0;
  for (const entry of entries) {
    const slice = slices.at(-1);
    if (slice && entry.length < room) slice.push(entry);
    else {
      slices.push([entry]);
      room = maxCharacters;
    }
    room -= entry.length + 1;
  }
  return slices;
}

function statementsOf(
  block: ContentBlock,
  { role }: Msg,
  results: ReadonlyMap<string, ToolResultBlock>,
): readonly Statement[] {
  switch (block.type) {
    case "text":
      return [{ label: `${role}:`, words: [block] }];
    case "data":
      return [{ label: `${role}:`, words: [{ note: noteOf(block) }] }];
    case "hint":
      return [{ label: "note to the assistant:", words: wordsOf(block.hint) }];
    case "tool_call": {
      const result = results.get(block.id);
      const called = {
        label: `assistant called ${block.name} with`,
        words: [{ text: block.input }],
      };
      return [
        called,
        result
          ? { label: `${result.state}:`, words: wordsOf(result.output) }
          : { label: "no result", words: [] },
      ];
    }
    case "thinking":
    case "tool_result":
      return [];
    default:
      return block satisfies never;
  }
}

function entryOf({ label, words }: Statement): string {
  return [label, ...words.map(quotedOf)].join(" ");
}

/** Entries that together say what a statement says. */
function partsOf(statement: Statement, maxCharacters: number): readonly string[] {
  const label = shortenText(statement.label.replace(/:$/, ""), MAX_LABEL_CHARACTERS);
  if (statement.words.length === 0) return [label];
  const room = maxCharacters - label.length - PART_CHARACTERS;
  const parts = statement.words.flatMap((words) =>
    "note" in words ? [shortenText(words.note, room)] : splitQuoted(words.text, room),
  );
  if (parts.length === 1) return [`${label}: ${parts[0]}`];
  return parts.map((part, index) => `${label} (part ${index + 1} of ${parts.length}): ${part}`);
}

/** Pieces of a text, about equally long, each quoted and then of as many characters at most. */
function splitQuoted(text: string, maxCharacters: number): readonly string[] {
  const quoted = JSON.stringify(text);
  for (let count = Math.ceil(quoted.length / maxCharacters); ; count = moreParts(count)) {
    const size = Math.max(2, Math.ceil(text.length / count));
    const pieces = splitText(text, size).map((piece) => JSON.stringify(piece));
    if (size === 2 || pieces.every(({ length }) => length <= maxCharacters)) return pieces;
  }
}

function moreParts(count: number): number {
  return Math.ceil(count * MORE_PARTS) + 1;
}

function quotedOf(words: Words): string {
  return "note" in words ? words.note : JSON.stringify(words.text);
}

function wordsOf(output: string | readonly TextOrDataBlock[]): readonly Words[] {
  if (typeof output === "string") return [{ text: output }];
  return output.map((block) =>
    block.type === "text" ? { text: block.text } : { note: noteOf(block) },
  );
}

function noteOf({ name, source }: Extract<TextOrDataBlock, { type: "data" }>): string {
  const named = name ? ` named ${JSON.stringify(name)}` : "";
  return `[a medium of type ${source.media_type}${named}]`;
}
